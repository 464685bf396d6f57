import type { VersionAnswer } from '../../chain/yellowstone/fetch-version.ts';
import { type Finding, fail, ok, type Verdict, warn } from './finding.ts';
import { judgeVersionText } from './yellowstone-version.ts';

const CHECK = 'version';
const UPGRADE =
  'Transactions of version 1 lack their budget and fee: have the server upgraded to ' +
  'yellowstone-grpc-geyser 15.1.1 or later, or remove it to read blocks from nodes.';
const ASK =
  'Ask its operator whether it sends `Message.config` of transactions of version 1 ' +
  '(yellowstone-grpc-proto 12.6.0 or later).';

/** Judges the version of a Yellowstone server. `subject` is its host. */
export function judgeYellowstone(subject: string, answer: VersionAnswer): Finding {
  return { ...verdictOf(answer), subject };
}

function verdictOf(answer: VersionAnswer): Verdict {
  if (answer.kind === 'failed') {
    const advice = 'Check address and token, and that this machine may reach it.';
    return fail('reachable', answer.message, advice);
  }
  if (answer.kind === 'unsupported') {
    return warn(CHECK, 'does not report its version', ASK);
  }
  const { kind, shown } = judgeVersionText(answer.text);
  if (kind === 'new-enough') return ok(CHECK, `${shown}: passes on transactions of version 1`);
  if (kind === 'too-old') return warn(CHECK, `${shown}: too old for version 1`, UPGRADE);
  return warn(CHECK, `unknown version (${shown})`, ASK);
}
