/** Starts the unmodified worker of elkjs from the page itself. It is too long for a data URL. */
import source from 'elkjs/lib/elk-worker.min.js?raw'

export function startElk(): Worker {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(url)
  URL.revokeObjectURL(url)
  return worker
}
