import type { Mutable } from '../../lib/mutable.ts';
import type { AccountKeys } from '../../model/account-keys.ts';
import { Instruction, type InstructionPosition } from '../../model/instruction.ts';
import { RecordRefusal } from '../rpc-json/json-value.ts';
import { appendSpan, type ProtobufReader, tooMany } from './protobuf-reader.ts';
import { INSTRUCTIONS_MAX } from './signed-message.ts';

const OUTER_HEIGHT = 1;
const U32_MAX = 2 ** 32 - 1;
const NO_SPANS: readonly number[] = [];

/**
 * Lists outer and inner instructions in execution order and checks every index against the keys.
 * Spans are start and end alternately: of outer instructions, and of groups of inner ones.
 */
export function listInstructions(
  reader: ProtobufReader,
  keys: AccountKeys,
  outerSpans: readonly number[],
  groupSpans: readonly number[],
): Instruction[] {
  const outerCount = outerSpans.length / 2;
  const inner = groupByOuter(reader, groupSpans, outerCount);
  const list: Instruction[] = [];
  for (let outerIx = 0; outerIx < outerCount; outerIx++) {
    reader.enter(outerSpans[2 * outerIx] as number, outerSpans[2 * outerIx + 1] as number);
    const outerPosition = { index: list.length, outerIx, innerIx: -1, stackHeight: OUTER_HEIGHT };
    list.push(readInstruction(reader, keys, outerPosition));
    const spans = inner?.[outerIx] ?? NO_SPANS;
    for (let at = 0; at < spans.length; at += 2) {
      if (list.length >= INSTRUCTIONS_MAX) throw tooMany(INSTRUCTIONS_MAX, 'instructions');
      reader.enter(spans[at] as number, spans[at + 1] as number);
      const position = { index: list.length, outerIx, innerIx: at / 2, stackHeight: 0 };
      list.push(readInstruction(reader, keys, position));
    }
  }
  return list;
}

/** `InnerInstructions` messages by their outer instruction; null when there are none. */
function groupByOuter(
  reader: ProtobufReader,
  groupSpans: readonly number[],
  outerCount: number,
): (number[] | undefined)[] | null {
  if (groupSpans.length === 0) return null;
  const inner = new Array<number[] | undefined>(outerCount);
  for (let at = 0; at < groupSpans.length; at += 2) {
    reader.enter(groupSpans[at] as number, groupSpans[at + 1] as number);
    let outerIx = 0;
    const spans: number[] = [];
    while (reader.next()) {
      if (reader.field === 1) outerIx = reader.count(U32_MAX, 'inner instruction index');
      else if (reader.field === 2)
        appendSpan(reader, spans, INSTRUCTIONS_MAX, 'inner instructions');
      else reader.skip();
    }
    checkIndex('inner instruction index', outerIx, outerCount);
    inner[outerIx] = inner[outerIx]?.concat(spans) ?? spans;
  }
  return inner;
}

/** A `CompiledInstruction`, or an `InnerInstruction`, which adds only the stack height. */
function readInstruction(
  reader: ProtobufReader,
  keys: AccountKeys,
  position: Mutable<InstructionPosition>,
): Instruction {
  const { bytes } = reader;
  const spans = { accountsStart: 0, accountsEnd: 0, dataStart: 0, dataEnd: 0 };
  let programIndex = 0;
  while (reader.next()) {
    if (reader.field === 1) programIndex = reader.count(U32_MAX, 'program index');
    else if (reader.field === 2) {
      reader.span();
      spans.accountsStart = reader.start;
      spans.accountsEnd = reader.end;
    } else if (reader.field === 3) {
      reader.span();
      spans.dataStart = reader.start;
      spans.dataEnd = reader.end;
    } else if (reader.field === 4 && position.innerIx >= 0) {
      position.stackHeight = reader.count(U32_MAX, 'stack height');
    } else reader.skip();
  }
  checkIndex('program index', programIndex, keys.length);
  for (let at = spans.accountsStart; at < spans.accountsEnd; at++) {
    checkIndex('account index', bytes[at] as number, keys.length);
  }
  return Instruction.inRecord(keys, position, programIndex, bytes, spans);
}

function checkIndex(name: string, index: number, count: number): void {
  if (index >= count) throw new RecordRefusal('bad-transaction', `${name} ${index} of ${count}`);
}
