import { Ajv, type ValidateFunction } from 'ajv';
import { asyncApiDocument } from '../../src/api/server/asyncapi.ts';

/** What the AsyncAPI document says, to be compared with what is sent. */
const document = closed(asyncApiDocument('0.0.0')) as ReturnType<typeof asyncApiDocument>;
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    'solana-address': true,
  },
});
ajv.addSchema(document, 'document');

const compiled = new Map<string, ValidateFunction>();

/** Throws if a message of the channel with this address is not one that the document describes. */
export function assertDocumented(address: string, message: unknown): void {
  const [channel, { messages }] = channelOf(address);
  const { op, topic, type } = message as Readonly<Record<string, unknown>>;
  // Messages of a channel without a word for their kind have one kind.
  const [only = ''] = Object.keys(messages);
  assertAs(channel, String(op ?? topic ?? type ?? only), message);
}

/** Throws if an event of the stream of events is not as documented. */
export function assertDocumentedEvent(event: string | null, data: unknown): void {
  const { topic } = data as { readonly topic?: unknown };
  assertAs('streamEvents', event ?? String(topic), data);
}

/** Throws if the body that a webhook delivers is not as documented. */
export function assertDocumentedDelivery(body: string): void {
  const event = JSON.parse(body) as { readonly type?: unknown };
  assertAs('webhooks', String(event.type), event);
}

function assertAs(channel: string, name: string, message: unknown): void {
  if (document.channels[channel]?.messages[name] === undefined) {
    throw new Error(`asyncapi.json has no message ${name} in ${channel}`);
  }
  const path = `document#/channels/${channel}/messages/${encodeURIComponent(name)}/payload`;
  const isValid = compiled.get(path) ?? ajv.compile({ $ref: path });
  compiled.set(path, isValid);
  if (isValid(message)) return;
  const faults = ajv.errorsText(isValid.errors?.slice(0, 3), { dataVar: name });
  throw new Error(`asyncapi.json contradicts a message of ${channel}: ${faults}`);
}

function channelOf(address: string) {
  const found = Object.entries(document.channels).find(([, one]) => one.address === address);
  if (found === undefined) throw new Error(`asyncapi.json has no channel ${address}`);
  return found;
}

/** The document with objects that have no other fields than those named. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, closed(one)]);
  const isObject = 'properties' in value && !('additionalProperties' in value);
  return {
    ...Object.fromEntries(entries),
    ...(isObject ? { additionalProperties: false } : {}),
  };
}
