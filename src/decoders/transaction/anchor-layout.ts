import { anchorDiscriminator } from './anchor-discriminator.ts';
import { type BorshRecord, borshRecord, type Fields, type RecordValues } from './borsh-record.ts';
import type { EventLayout } from './program-layout.ts';

/** An event whose fields have types. */
export interface TypedEvent<Values> extends EventLayout {
  readonly record: BorshRecord<Values>;
}

type Accounts = Readonly<Record<string, number>>;
type Instructions = Readonly<Record<string, Accounts>>;
type Events = Readonly<Record<string, Fields | TypedEvent<unknown>>>;
type EventOf<Entry> = Entry extends EventLayout ? Entry : TypedEvent<RecordValues<Entry, []>>;

/** The part of an Anchor program's interface that a decoder relies on, with the interface's names. */
export interface AnchorTable<
  Read extends Instructions,
  ReadEvents extends Events,
  Ignored extends string,
  IgnoredEvent extends string,
> {
  /** Instructions that are read: the positions of the accounts used. */
  readonly instructions: Read;
  /** Instructions known to contain nothing of interest. */
  readonly ignoredInstructions: readonly Ignored[];
  /** Self-events that are read: their fields in order, as far as they are read. */
  readonly events: ReadEvents;
  /** Self-events known to contain nothing of interest. */
  readonly ignoredEvents: readonly IgnoredEvent[];
}

/** The same with discriminators: a `ProgramLayout` that knows its names. */
export interface AnchorLayout<
  Read extends Instructions,
  ReadEvents extends Events,
  Ignored extends string,
  IgnoredEvent extends string,
> {
  readonly instructions: {
    readonly [Name in keyof Read]: {
      readonly discriminator: string;
      readonly accounts: Read[Name];
    };
  };
  readonly ignoredInstructions: Readonly<Record<Ignored, string>>;
  readonly events: { readonly [Name in keyof ReadEvents]: EventOf<ReadEvents[Name]> };
  readonly ignoredEvents: Readonly<Record<IgnoredEvent, string>>;
}

/** Completes a table with the discriminators that Anchor derives from the names. */
export function anchorLayout<
  Read extends Instructions,
  const ReadEvents extends Events,
  Ignored extends string,
  IgnoredEvent extends string,
>(
  table: AnchorTable<Read, ReadEvents, Ignored, IgnoredEvent>,
): AnchorLayout<Read, ReadEvents, Ignored, IgnoredEvent> {
  const instructions = Object.entries(table.instructions).map(
    ([name, accounts]) =>
      [name, { discriminator: anchorDiscriminator('global', name), accounts }] as const,
  );
  const events = Object.entries(table.events).map(
    ([name, event]) => [name, isTyped(event) ? event : anchorEvent(name, event)] as const,
  );
  const layout = {
    instructions: Object.fromEntries(instructions),
    ignoredInstructions: discriminatorsOf('global', table.ignoredInstructions),
    events: Object.fromEntries(events),
    ignoredEvents: discriminatorsOf('event', table.ignoredEvents),
  };
  // Object.fromEntries does not express that the entries keep their names.
  return layout as AnchorLayout<Read, ReadEvents, Ignored, IgnoredEvent>;
}

/**
 * An event that is read: its name, the fields that it always had, and each group of fields that a
 * later version of the program appended; as far as they are read.
 */
export function anchorEvent<const First extends Fields, const Appended extends readonly Fields[]>(
  name: string,
  first: First,
  ...appended: Appended
): TypedEvent<RecordValues<First, Appended>> {
  const record = borshRecord(first, ...appended);
  return {
    discriminator: anchorDiscriminator('event', name),
    fields: Object.keys(record.types),
    record,
  };
}

function discriminatorsOf(
  namespace: 'global' | 'event',
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, anchorDiscriminator(namespace, name)]));
}

function isTyped(event: Fields | TypedEvent<unknown>): event is TypedEvent<unknown> {
  return 'record' in event && typeof event.record === 'object' && 'read' in event.record;
}
