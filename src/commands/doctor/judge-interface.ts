import type { IdlAccounts } from '../../chain/accounts/idl/fetch-idl.ts';
import type { IdlText } from '../../chain/accounts/idl/read-idl-account.ts';
import type { RpcResult } from '../../chain/rpc/nodes/rpc-node.ts';
import type { InterfaceDifference } from '../../decoders/idl/compare-interface.ts';
import { isHarmful } from '../../decoders/idl/compare-interface.ts';
import { parseInterface } from '../../decoders/idl/parse-interface.ts';
import type { LaidOutProgram } from '../../decoders/layouts.ts';
import { type Finding, fail, ok, type Verdict, warn } from './finding.ts';
import { countsInWords, reportInterface } from './interface-report.ts';

/** Finding about the on-chain interface of a program, with every difference. */
export interface InterfaceFinding extends Finding {
  readonly differences: readonly InterfaceDifference[];
}

const CHECK = 'idl';
/** Maximum number of differences in the message; the others are only counted. */
const NAMED_MAX = 5;

/** Judges the on-chain interface of a program against its decoder. */
export function judgeInterface(
  program: LaidOutProgram,
  answer: RpcResult<IdlAccounts>,
): InterfaceFinding {
  const { verdict, differences } = verdictOf(program, answer);
  return { ...verdict, subject: program.name, differences };
}

interface Judged {
  readonly verdict: Verdict;
  readonly differences: readonly InterfaceDifference[];
}

function verdictOf(program: LaidOutProgram, answer: RpcResult<IdlAccounts>): Judged {
  if (answer.status === 'failed') {
    const { message, name } = answer.failure;
    return alone(warn(CHECK, `no answer: ${message} (${name})`, 'Try another node.'));
  }
  const { anchor, metadata } = answer.result;
  // Anchor 1.0 writes the metadata account and leaves the older account unchanged.
  const texts = [named(metadata, 'program metadata'), named(anchor, 'Anchor account')];
  const kept = texts.filter((one) => one !== null);
  const chosen = kept.find(({ text }) => text.status === 'ok') ?? kept[0];
  if (chosen === undefined) return alone(ok(CHECK, 'the program keeps no interface on the chain'));
  return judgeText(program, chosen);
}

interface NamedText {
  readonly text: IdlText;
  readonly source: string;
}

function named(text: IdlText | null, source: string): NamedText | null {
  return text === null ? null : { text, source };
}

function judgeText(program: LaidOutProgram, { text, source }: NamedText): Judged {
  if (text.status === 'unusable') return unusable(source, text.reason);
  const reading = parseInterface(text.text);
  if (reading.status === 'refused') return unusable(source, reading.reason);
  const { address } = reading.value;
  if (address !== null && address !== program.programId) {
    return unusable(source, 'the interface is of another program');
  }
  const { differences, instructions, is_current } = reportInterface(reading.value, program);
  const result = `${source}, ${instructions} instructions: ${countsInWords(differences) ?? 'no differences'}`;
  if (is_current) return { verdict: ok(CHECK, result), differences };
  const advice = 'Update this service, or its decoder: missed events are not counted.';
  const verdict = fail(CHECK, `${result}: ${harmInWords(differences)}`, advice);
  return { verdict, differences };
}

function harmInWords(differences: readonly InterfaceDifference[]): string {
  const harmful = differences.filter(isHarmful);
  const shown = harmful.slice(0, NAMED_MAX).map(({ message }) => message);
  const more = harmful.length - shown.length;
  return `${shown.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
}

function unusable(source: string, reason: string): Judged {
  const advice = 'Compare a file of its publisher with `mintscope idl diff`.';
  return alone(warn(CHECK, `cannot be compared (${source}): ${reason}`, advice));
}

function alone(verdict: Verdict): Judged {
  return { verdict, differences: [] };
}
