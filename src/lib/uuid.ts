import { hash } from 'node:crypto';

/**
 * Returns the UUID of version 5 (RFC 9562 §5.5) of a name in a namespace, itself a UUID. Throws
 * TypeError for a namespace that is not a UUID.
 */
export function uuidV5(namespace: string, name: string): string {
  if (!UUID.test(namespace)) throw new TypeError(`no UUID: ${namespace}`);
  const space = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  const bytes = hash('sha1', Buffer.concat([space, Buffer.from(name)]), 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(VERSION_AT) & 0x0f) | 0x50, VERSION_AT);
  bytes.writeUInt8((bytes.readUInt8(VARIANT_AT) & 0x3f) | 0x80, VARIANT_AT);
  const digits = bytes.toString('hex');
  return [0, 8, 12, 16, 20].map((from, part) => digits.slice(from, ENDS[part])).join('-');
}

/** A UUID of any version, in lower case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const VERSION_AT = 6;
const VARIANT_AT = 8;
const ENDS = [8, 12, 16, 20, 32];
