/** What a person can do with the thread. Looking back never acts: commands always apply to the end of the thread. */
import { useIsFile, useModel } from '../../data/use-run.ts'
import { Button } from '../../design/parts.tsx'
import type { Commands } from './commands.ts'
import { FaultDialog } from './fault-dialog.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import { SendDialog } from './send-dialog.tsx'
import { StopDialog } from './stop-dialog.tsx'
import { lapTargets, outTargets } from './targets.ts'
import type { ThreadStatus } from './use-state.ts'

export type OpenDialog = 'fork' | 'fault' | 'send' | 'stop' | undefined

interface ToolbarProps {
  readonly commands: Commands
  readonly status: ThreadStatus
  readonly dialog: OpenDialog
  readonly open: (dialog: OpenDialog) => void
  readonly selected: string | undefined
}

export function Toolbar({ commands, status, dialog, open, selected }: ToolbarProps) {
  const model = useModel()
  const isFile = useIsFile()
  const { busy } = commands
  if (isFile) return null
  const { ended, paused } = status
  const can = { act: !ended && busy === undefined, step: !ended && paused && busy === undefined }
  const stepTo = (name: string, until: readonly string[]) => () =>
    void commands.send(name, (thread, options) => thread.step({ ...options, until }))
  return (
    <div className="toolbar" role="toolbar" aria-label="Commands to the thread">
      {paused ? (
        <Button
          icon="play"
          kind="primary"
          shortcut="F5"
          disabled={!can.act}
          onClick={() =>
            void commands.send('Continue', (thread, options) => thread.resume(options))
          }
        >
          Continue
        </Button>
      ) : (
        <Button
          icon="pause"
          kind="primary"
          shortcut="P"
          disabled={!can.act}
          title={ended ? 'The thread has ended' : 'Start no further node'}
          onClick={() =>
            void commands.send('Pause', (thread, options) => thread.pause(undefined, options))
          }
        >
          Pause
        </Button>
      )}
      <Button
        icon="step"
        shortcut="S"
        disabled={!can.step}
        title="Run the nodes that can start now, then pause"
        onClick={() => void commands.send('Step', (thread, options) => thread.step(options))}
      >
        Step
      </Button>
      <Button
        icon="lap"
        shortcut="L"
        disabled={!can.step}
        title="Run until this state is entered again"
        onClick={stepTo('Lap', lapTargets(model))}
      >
        Lap
      </Button>
      <Button
        icon="out"
        shortcut="U"
        disabled={!can.step}
        title="Run until the run leaves the box around this state"
        onClick={stepTo('Out', outTargets(model))}
      >
        Out
      </Button>
      <Button
        icon="over"
        shortcut="R"
        disabled={!can.step || selected === undefined}
        title={selected === undefined ? 'Select a state first' : `Run until ${selected} is entered`}
        onClick={stepTo('Run to here', selected === undefined ? [] : [selected])}
      >
        Run to here
      </Button>
      <Button icon="fork" shortcut="F" disabled={busy !== undefined} onClick={() => open('fork')}>
        Fork
      </Button>
      <Button icon="send" shortcut="E" disabled={busy !== undefined} onClick={() => open('send')}>
        Send
      </Button>
      <Button icon="fault" shortcut="I" disabled={!can.act} onClick={() => open('fault')}>
        Inject fault
      </Button>
      <Button icon="stop" kind="danger" disabled={!can.act} onClick={() => open('stop')}>
        Stop
      </Button>
      {dialog === 'fork' && <ForkDialog onClose={() => open(undefined)} />}
      {dialog === 'send' && <SendDialog commands={commands} onClose={() => open(undefined)} />}
      {dialog === 'fault' && <FaultDialog commands={commands} onClose={() => open(undefined)} />}
      {dialog === 'stop' && <StopDialog commands={commands} onClose={() => open(undefined)} />}
    </div>
  )
}
