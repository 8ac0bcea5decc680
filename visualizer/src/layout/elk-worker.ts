/** Starts the unmodified worker of elkjs from its own file. */
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'

export const startElk = (): Worker => new Worker(workerUrl)
