/**
 * Compares a program's published interface with the layout its decoder relies on. Entries are
 * matched by discriminator, which is what a program and its callers agree on; names are only
 * descriptive. The types of fields and arguments are not compared, since a layout does not contain
 * them.
 */

import { anchorDiscriminator } from '../transaction/anchor-discriminator.ts';
import type {
  EventLayout,
  InstructionLayout,
  ProgramLayout,
} from '../transaction/program-layout.ts';
import {
  type ProgramInterface,
  type PublishedEvent,
  type PublishedInstruction,
  snakeCase,
} from './program-interface.ts';

/**
 * - `missed`: the program has it and the decoder does not know it: it would be counted as unknown.
 * - `misread`: the decoder reads it at a position that now holds something else.
 * - `renamed`: its position is unchanged and its name is different.
 * - `absent`: the decoder reads it and the interface lacks it: an interface of another version.
 */
export type DifferenceKind = 'missed' | 'misread' | 'renamed' | 'absent';

export interface InterfaceDifference {
  readonly kind: DifferenceKind;
  readonly part: 'instruction' | 'account' | 'event' | 'field';
  /**
   * The instruction or event, by its name in the layout, or in the interface when the layout has
   * none.
   */
  readonly name: string;
  /** A sentence without a full stop. */
  readonly message: string;
}

/**
 * All differences: instructions in the order of the interface, then events, then absent entries.
 */
export function compareInterface(
  published: ProgramInterface,
  layout: ProgramLayout,
): readonly InterfaceDifference[] {
  return [...compareInstructions(published, layout), ...compareEvents(published, layout)];
}

/** True when something would be missed or misread. */
export function isHarmful({ kind }: InterfaceDifference): boolean {
  return kind === 'missed' || kind === 'misread';
}

/**
 * The discriminator of a published instruction: as stated, or derived in the way of the layout's
 * program.
 */
export function instructionDiscriminator(
  { name, discriminator }: PublishedInstruction,
  index: number,
  layout: ProgramLayout,
): string {
  if (discriminator !== null) return discriminator;
  // Programs older than Anchor number their instructions in the order of the interface.
  if (isNumbered(layout)) return index.toString(16).padStart(2, '0');
  return anchorDiscriminator('global', name);
}

export function eventDiscriminator({ name, discriminator }: PublishedEvent): string {
  return discriminator ?? anchorDiscriminator('event', name);
}

/** True when the program emits events by calling itself, so that instructions carry them. */
export function hasSelfEvents({ events, ignoredEvents }: ProgramLayout): boolean {
  return Object.keys(events).length + Object.keys(ignoredEvents).length > 0;
}

function isNumbered(layout: ProgramLayout): boolean {
  const [first] = Object.values(layout.instructions);
  return first !== undefined && first.discriminator.length === 2;
}

interface Known<Read> {
  readonly name: string;
  /** Null for an entry that is known but not read. */
  readonly read: Read | null;
}

function knownBy<Read extends { readonly discriminator: string }>(
  read: Readonly<Record<string, Read>>,
  ignored: Readonly<Record<string, string>>,
): Map<string, Known<Read>> {
  const known = new Map<string, Known<Read>>();
  for (const [name, discriminator] of Object.entries(ignored)) {
    known.set(discriminator, { name, read: null });
  }
  for (const [name, entry] of Object.entries(read)) {
    known.set(entry.discriminator, { name, read: entry });
  }
  return known;
}

function* compareInstructions(
  published: ProgramInterface,
  layout: ProgramLayout,
): Generator<InterfaceDifference> {
  const known = knownBy(layout.instructions, layout.ignoredInstructions);
  const seen = new Set<string>();
  for (const [index, instruction] of published.instructions.entries()) {
    const discriminator = instructionDiscriminator(instruction, index, layout);
    const ours = known.get(discriminator);
    if (ours === undefined) {
      yield unknownEntry('instruction', instruction.name, discriminator, namesOf(known));
      continue;
    }
    seen.add(discriminator);
    yield* comparedName('instruction', ours.name, instruction.name);
    if (ours.read !== null) yield* compareAccounts(ours.name, ours.read, instruction.accounts);
  }
  yield* absentOf('instruction', layout.instructions, seen);
}

function* compareEvents(
  published: ProgramInterface,
  layout: ProgramLayout,
): Generator<InterfaceDifference> {
  if (!hasSelfEvents(layout)) return;
  const known = knownBy(layout.events, layout.ignoredEvents);
  const seen = new Set<string>();
  for (const event of published.events) {
    const discriminator = eventDiscriminator(event);
    const ours = known.get(discriminator);
    if (ours === undefined) {
      yield unknownEntry('event', event.name, discriminator, namesOf(known));
      continue;
    }
    seen.add(discriminator);
    yield* comparedName('event', ours.name, event.name);
    if (ours.read !== null && event.fields !== null) {
      const names = event.fields.map(({ name }) => name);
      yield* compareFields(ours.name, ours.read, names);
    }
  }
  yield* absentOf('event', layout.events, seen);
}

function namesOf(known: ReadonlyMap<string, Known<unknown>>): Set<string> {
  return new Set([...known.values()].map(({ name }) => snakeCase(name)));
}

function unknownEntry(
  part: 'instruction' | 'event',
  name: string,
  discriminator: string,
  knownNames: ReadonlySet<string>,
): InterfaceDifference {
  const message = knownNames.has(snakeCase(name))
    ? `the ${part} ${name} has the discriminator ${discriminator} now`
    : `the ${part} ${name} (${discriminator}) is not known`;
  return { kind: 'missed', part, name, message };
}

function* comparedName(
  part: 'instruction' | 'event',
  ours: string,
  theirs: string,
): Generator<InterfaceDifference> {
  if (snakeCase(ours) === snakeCase(theirs)) return;
  const message = `the ${part} ${ours} is called ${theirs}`;
  yield { kind: 'renamed', part, name: ours, message };
}

function* compareAccounts(
  name: string,
  { accounts }: InstructionLayout,
  published: readonly string[],
): Generator<InterfaceDifference> {
  const wrong = Object.entries(accounts).filter(
    ([account, position]) => published[position] !== snakeCase(account),
  );
  const moved = wrong.filter(([account]) => published.includes(snakeCase(account)));
  for (const [account, position] of wrong) {
    const there = published[position];
    const at = published.indexOf(snakeCase(account));
    const part = 'account';
    const subject = `${account} of ${name}`;
    if (at >= 0) {
      const message = `${subject} is read at position ${position} and stands at ${at}`;
      yield { kind: 'misread', part, name, message };
    } else if (there === undefined) {
      const message = `${subject} is read at position ${position}, past the end of the accounts`;
      yield { kind: 'misread', part, name, message };
    } else {
      // When other accounts have moved, a different name is more likely a different account.
      const kind = moved.length > 0 ? 'misread' : 'renamed';
      const message = `${subject} is read at position ${position}, where ${there} stands`;
      yield { kind, part, name, message };
    }
  }
}

/**
 * Trailing fields that the interface does not have belong to a later version; they are read if
 * present.
 */
function* compareFields(
  name: string,
  { fields }: EventLayout,
  published: readonly string[],
): Generator<InterfaceDifference> {
  const shared = Math.min(fields.length, published.length);
  const wrong = fields
    .map((field, at) => ({ field: snakeCase(field), at }))
    .filter(({ field, at }) => at < shared && published[at] !== field);
  const [first] = wrong;
  if (first !== undefined) yield fieldDifference(name, first, wrong, published);
  const later = fields.slice(shared);
  if (later.length > 0 && first === undefined) {
    const message = `${later.join(', ')} of ${name} ${later.length === 1 ? 'is' : 'are'} not there`;
    yield { kind: 'absent', part: 'field', name, message };
  }
}

interface FieldPosition {
  readonly field: string;
  readonly at: number;
}

/** One difference per event, since an inserted or removed field shifts all fields after it. */
function fieldDifference(
  name: string,
  first: FieldPosition,
  wrong: readonly FieldPosition[],
  published: readonly string[],
): InterfaceDifference {
  const { field, at } = first;
  const there = published[at] ?? '';
  const isAnyMoved = wrong.some((one) => published.includes(one.field));
  const message = `${field} of ${name} is read as field ${at}, where ${there} stands`;
  const rest = wrong.length > 1 ? `, and ${wrong.length - 1} after it are elsewhere too` : '';
  return isAnyMoved
    ? { kind: 'misread', part: 'field', name, message: `${message}${rest}` }
    : { kind: 'renamed', part: 'field', name, message };
}

function* absentOf(
  part: 'instruction' | 'event',
  read: Readonly<Record<string, { readonly discriminator: string }>>,
  seen: ReadonlySet<string>,
): Generator<InterfaceDifference> {
  for (const [name, { discriminator }] of Object.entries(read)) {
    if (seen.has(discriminator)) continue;
    const message = `the ${part} ${name} (${discriminator}) is not there`;
    yield { kind: 'absent', part, name, message };
  }
}
