import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { RowChange } from '../../model/shared-rows.ts';
import type { StepMessage } from '../step-message.ts';

/** Version of messages. A reader of an older version stops at a newer one. */
const CONTROL_VERSION = 1;

/** A change of shared tables, as replicas publish it. */
export interface ControlMessage {
  /** Version of the tables (their last migration). */
  readonly schema: number;
  /** Of all messages of one log. */
  readonly logId: string;
  /** Of the message: a repeated attempt has the same. */
  readonly id: string;
  /** The replica that published it. */
  readonly writer: string;
  readonly changes: readonly RowChange[];
}

/** More than the largest rule and the longest condition of a trigger, and than a hundred rows. */
const BODY_BYTES_MAX = 8 * 2 ** 20;
const CHANGES_MAX = 1_000;

const name = Type.String({ maxLength: 200 });
const cells = Type.Record(
  Type.String({ maxLength: 64 }),
  Type.Union([
    Type.Null(),
    Type.String(),
    Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    Type.Object({ base64: Type.String() }),
  ]),
);
const changes = Type.Array(
  Type.Union([
    Type.Object({ table: name, put: cells }, { additionalProperties: false }),
    Type.Object({ table: name, remove: cells }, { additionalProperties: false }),
    Type.Object(
      { table: name, counter: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
      { additionalProperties: false },
    ),
  ]),
  { maxItems: CHANGES_MAX },
);
const headSchema = Compile(
  Type.Object({
    version: Type.Literal(CONTROL_VERSION),
    schema: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    logId: name,
    id: name,
    writer: name,
  }),
);
const changesSchema = Compile(changes);

export function encodeControl({ changes, ...head }: ControlMessage): StepMessage {
  const line = JSON.stringify({ version: CONTROL_VERSION, ...head });
  return { head: line, body: Buffer.from(JSON.stringify(changes)) };
}

/** The message, or a sentence on why it cannot be used. Never throws. */
export function decodeControl({ head: line, body }: StepMessage): ControlMessage | string {
  const head = parsed(line ?? '');
  const version = (head as { readonly version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > CONTROL_VERSION) {
    return `it has version ${version} and this replica reads ${CONTROL_VERSION}: update the replica`;
  }
  if (!headSchema.Check(head)) return 'its head is not that of a change';
  if (body.length > BODY_BYTES_MAX) return 'its body is too long';
  const rows = parsed(Buffer.from(body).toString());
  if (!changesSchema.Check(rows)) return 'its body has other fields than changes of rows';
  const { schema, logId, id, writer } = head;
  return { schema, logId, id, writer, changes: rows as readonly RowChange[] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
