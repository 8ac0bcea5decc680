import type { MachineConfig } from 'xstate'

// The config is plain data whose states and events are not known at compile time.
// biome-ignore lint/suspicious/noExplicitAny: XState's config type cannot be named for a machine made from data.
export type Config = MachineConfig<any, any, any, any, any, any, any, any, any, any, any, any>
export type StateConfig = NonNullable<Config['states']>[string]
