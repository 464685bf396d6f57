import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { StepMessage } from '../step-message.ts';

/** Version of messages. A reader of an older version stops at a newer one. */
const OFFCHAIN_VERSION = 1;
/** A part fits into a message of a NATS server with its default settings. */
export const PART_BYTES_MAX = 512 * 1_024;
/** Parts of one transaction. */
export const PARTS_MAX = 128;

const name = Type.String({ minLength: 1, maxLength: 200 });
const sequence = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const common = {
  version: Type.Literal(OFFCHAIN_VERSION),
  /** Number of the last migration of the store. */
  schema: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  /** Of all messages of one stream. */
  logId: name,
  /** Of the claim or the transaction. */
  id: name,
  /** The replica that appended it. */
  writer: name,
};
const parts = {
  part: Type.Integer({ minimum: 0, maximum: PARTS_MAX - 1 }),
  parts: Type.Integer({ minimum: 1, maximum: PARTS_MAX }),
};
const strict = { additionalProperties: false };
const headSchema = Type.Union([
  Type.Object(
    { ...common, kind: Type.Literal('claim'), base: Type.String({ maxLength: 200 }) },
    strict,
  ),
  Type.Object({ ...common, kind: Type.Literal('changes'), claim: sequence, ...parts }, strict),
  Type.Object({ ...common, kind: Type.Literal('posts'), ...parts }, strict),
]);
const compiled = Compile(headSchema);

type WithoutVersion<Head> = Head extends unknown ? Omit<Head, 'version'> : never;

/** The head of a message: a claim, or a part of a transaction. */
export type OffchainHead = WithoutVersion<Static<typeof headSchema>>;

/** A message that a reader of this version can use. */
export interface OffchainMessage {
  readonly head: OffchainHead;
  /** A part of a changeset; empty for a claim. */
  readonly body: Uint8Array;
}

/** Why a message cannot be used. `isNewer`: another version can use it. */
export interface UnusableMessage {
  readonly reason: string;
  readonly isNewer: boolean;
}

export function encodeOffchain({ head, body }: OffchainMessage): StepMessage {
  return { head: JSON.stringify({ version: OFFCHAIN_VERSION, ...head }), body };
}

/** Never throws. */
export function decodeOffchain({
  head: line,
  body,
}: StepMessage): OffchainMessage | UnusableMessage {
  const read = parsed(line ?? '');
  const version = (read as { readonly version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > OFFCHAIN_VERSION) {
    const reason = `it has version ${version} and this replica reads ${OFFCHAIN_VERSION}`;
    return { reason, isNewer: true };
  }
  if (!compiled.Check(read)) return unusable('its head is not that of off-chain data');
  if (body.length > PART_BYTES_MAX) return unusable('its body is too long');
  if (read.kind === 'claim') {
    if (body.length > 0) return unusable('it is a claim with a body');
  } else if (read.part >= read.parts) return unusable('it is a part beyond the last');
  const { version: _, ...head } = read;
  return { head, body };
}

/** The parts of a changeset; null if it is too long for a transaction of the stream. */
export function partsOf(changes: Uint8Array): readonly Uint8Array[] | null {
  const count = Math.max(1, Math.ceil(changes.length / PART_BYTES_MAX));
  if (count > PARTS_MAX) return null;
  return Array.from({ length: count }, (_, part) =>
    changes.subarray(part * PART_BYTES_MAX, (part + 1) * PART_BYTES_MAX),
  );
}

function unusable(reason: string): UnusableMessage {
  return { reason, isNewer: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
