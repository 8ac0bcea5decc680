/** How often a state was entered, as one of five steps of a ramp: on a logarithmic scale, because loops dominate a linear one. */
export function heatOf(visits: number): 0 | 1 | 2 | 3 | 4 {
  if (visits <= 0) return 0
  if (visits === 1) return 1
  if (visits <= 4) return 2
  return visits <= 16 ? 3 : 4
}
