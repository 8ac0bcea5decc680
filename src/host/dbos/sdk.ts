/** The part of DBOS Transact that the worker uses. It names no type of the package, which a program may lack. */
import { MissingPackage } from '../../adapters/missing-package.ts'

/** One function of DBOS for the whole process: DBOS is a singleton. */
export interface Dbos {
  setConfig(config: Readonly<Record<string, unknown>>): void
  isInitialized(): boolean
  launch(): Promise<void>
  shutdown(): Promise<void>
  readonly workflowID: string | undefined
  registerWorkflow<Args extends unknown[], R>(
    work: (...args: Args) => Promise<R>,
    config: { readonly name: string; readonly maxRecoveryAttempts?: number },
  ): (...args: Args) => Promise<R>
  registerQueue(name: string, options: Readonly<Record<string, unknown>>): Promise<unknown>
  startWorkflow<Args extends unknown[], R>(
    workflow: (...args: Args) => Promise<R>,
    params: StartParams,
  ): (...args: Args) => Promise<unknown>
  runStep<R>(work: () => Promise<R>, config: Readonly<Record<string, unknown>>): Promise<R>
  send(workflow: string, message: unknown, topic: string, key?: string): Promise<void>
  recv<T>(topic: string, options: RecvOptions): Promise<T | null>
  getWorkflowStatus(workflow: string): Promise<Pick<Listed, 'status'> | null>
  listWorkflows(query: Readonly<Record<string, unknown>>): Promise<readonly Listed[]>
  resumeWorkflows(ids: readonly string[], options: { readonly queueName: string }): Promise<unknown>
}

interface StartParams {
  readonly workflowID: string
  readonly queueName: string
  readonly workflowIDReusePolicy?: 'return-existing' | 'reject'
}

interface RecvOptions {
  readonly timeoutSeconds?: number
  /** In ms since 1970. */
  readonly deadlineEpochMS?: number
  readonly pollingIntervalMs: number
}

interface Listed {
  readonly workflowID: string
  readonly workflowName: string
  readonly status: string
  /** In ms since 1970. */
  readonly updatedAt?: number
}

/** A variable, because the types of the package may be missing. */
const PACKAGE: string = '@dbos-inc/dbos-sdk'

/** @throws MissingPackage */
export async function loadDbos(): Promise<Dbos> {
  const { DBOS } = await import(PACKAGE).catch(cause => {
    throw new MissingPackage(`a worker on DBOS needs a package: npm install ${PACKAGE} pg`, {
      cause,
    })
  })
  return DBOS
}
