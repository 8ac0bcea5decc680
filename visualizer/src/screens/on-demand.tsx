/** Screens whose code is loaded when a person first goes to them. */
import { type ComponentType, useEffect, useState } from 'react'

/** `Suspense` would be slower: React shows a fallback for at least 300 ms, however soon the code arrives. */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  let loading: Promise<ComponentType<P>> | undefined
  let loaded: ComponentType<P> | undefined
  const start = async () => {
    loading ??= load()
    loaded = await loading
  }
  return function OnDemand(props: P) {
    const [problem, setProblem] = useState<unknown>()
    const [isLoaded, setLoaded] = useState(loaded !== undefined)
    useEffect(() => {
      if (!isLoaded) start().then(() => setLoaded(true), setProblem)
    }, [isLoaded])
    if (problem !== undefined) throw problem
    const Loaded = isLoaded ? loaded : undefined
    return Loaded ? <Loaded {...props} /> : <p className="muted loading">Loading…</p>
  }
}
