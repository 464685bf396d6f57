import { anchorDiscriminator } from './anchor-discriminator.ts';
import type { EventLayout } from './program-layout.ts';

type Accounts = Readonly<Record<string, number>>;
type Fields = readonly string[];
type Instructions = Readonly<Record<string, Accounts>>;
type Events = Readonly<Record<string, Fields | EventLayout>>;

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
  /** Self-events that are read: field names in order, as far as they are read. */
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
  readonly events: { readonly [Name in keyof ReadEvents]: EventLayout };
  readonly ignoredEvents: Readonly<Record<IgnoredEvent, string>>;
}

/** Completes a table with the discriminators that Anchor derives from the names. */
export function anchorLayout<
  Read extends Instructions,
  ReadEvents extends Events,
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
    ([name, event]) => [name, isFields(event) ? anchorEvent(name, event) : event] as const,
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

/** An event that is read: its name, and its field names in order as far as they are read. */
export function anchorEvent(name: string, fields: Fields): EventLayout {
  return { discriminator: anchorDiscriminator('event', name), fields };
}

/** Several events that are read, by name. */
export function anchorEvents<Names extends string>(
  events: Readonly<Record<Names, Fields>>,
): Readonly<Record<Names, EventLayout>> {
  const entries = Object.entries<Fields>(events);
  return Object.fromEntries(
    entries.map(([name, fields]) => [name, anchorEvent(name, fields)]),
  ) as Record<Names, EventLayout>;
}

function discriminatorsOf(
  namespace: 'global' | 'event',
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, anchorDiscriminator(namespace, name)]));
}

function isFields(event: Fields | EventLayout): event is Fields {
  return Array.isArray(event);
}
