/** What a watch keeps where a thread begins anew: another round, or a fork. */
import { nextRound } from './budget/account.ts'
import { countFromHere } from './budget/scope.ts'
import { WATCH, type Watch } from './judge.ts'

/** The watch of a thread that begins another round: what was spent stays spent, what was dismissed, what the scopes know, and the errors of detectors stay; all else begins anew. */
export function resetForRound({
  account,
  dismissed,
  scopes,
  seenLoops,
  detectorErrors,
}: Watch): Watch {
  return {
    ...WATCH,
    dismissed,
    scopes,
    seenLoops,
    account: nextRound(account),
    ...(detectorErrors ? { detectorErrors } : {}),
  }
}

/** The watch of a thread that is told to go on in other words: the limits of rounds count from here, and what was seen stays seen. */
export function renewLimits(watch: Watch): Watch {
  return { ...watch, account: nextRound(watch.account) }
}

/** The watch of a fork: what it has from its parent, the parent has told to their scopes; the children under way are its parent's. */
export function inheritForFork(watch: Watch): Watch {
  return {
    ...watch,
    account: { ...watch.account, reserved: {} },
    seenLoops: [],
    scopes: countFromHere(watch.scopes, watch.account.spent),
  }
}
