import { crc32, deflateSync } from 'node:zlib';
import { Random } from '../../random/random.ts';

const CELLS = 6;
const CELL_PIXELS = 16;
const SIDE = CELLS * CELL_PIXELS;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Eight bits, true colour, no interlacing. */
const HEADER_END = [8, 2, 0, 0, 0];

/** A PNG of coloured cells derived from a name: tokens of one name look alike. */
export function tokenPicture(name: string): Buffer {
  const random = new Random(`picture/${name}`);
  const colours = Array.from({ length: CELLS * CELLS }, () => Buffer.from(random.bytes(3)));
  const rows = Array.from({ length: SIDE }, (_, y) => {
    const first = Math.floor(y / CELL_PIXELS) * CELLS;
    const cells = colours
      .slice(first, first + CELLS)
      .map((colour) => Buffer.alloc(CELL_PIXELS * 3, colour));
    // Each row starts with its filter byte: none.
    return Buffer.concat([Buffer.of(0), ...cells]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE, 0);
  header.writeUInt32BE(SIDE, 4);
  header.set(HEADER_END, 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
