import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** The records of a name: addresses, or the name it is an alias of. */
export type NameRecord = readonly string[] | { readonly cname: string };

export interface NameServer {
  /** Host and port in the form of resolvers. */
  readonly address: string;
  /** ChainRequests so far, as `type name`. */
  readonly asked: string[];
  close(): void;
}

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const HEADER_BYTES = 12;

/**
 * A name server on this machine (RFC 1035) whose answers must not be cached: every TTL is 0. Null
 * means no answer; chains of names are answered completely, as a recursive server does.
 */
export async function listenNames(
  recordOf: (name: string) => NameRecord | null,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    asked.push(`${type === TYPES.AAAA ? 'AAAA' : 'A'} ${name}`);
    const answers = answersOf(name, type, recordOf);
    if (answers === null) return;
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(
      Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...answers]),
      port,
      address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => {
      socket.close();
    },
  };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answersOf(
  asked: string,
  type: number,
  recordOf: (name: string) => NameRecord | null,
): Buffer[] | null {
  const answers: Buffer[] = [];
  let name = asked;
  let record = recordOf(name);
  while (record !== null && 'cname' in record) {
    answers.push(answer(name, TYPES.CNAME, nameBytes(record.cname)));
    name = record.cname;
    record = recordOf(name);
  }
  if (record === null) return null;
  for (const address of record) {
    const isWanted = type === (isIPv4(address) ? TYPES.A : TYPES.AAAA);
    if (isWanted) answers.push(answer(name, type, addressBytes(address)));
  }
  return answers;
}

function answer(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), fixed, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);
  return Buffer.from([...labels, 0]);
}

/** Only the full form of IPv6: eight groups. */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  return Buffer.from(
    address
      .split(':')
      .map((group) => group.padStart(4, '0'))
      .join(''),
    'hex',
  );
}
