import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AnchorIdlLies,
  anchorIdlAccount,
  type MetadataIdlLies,
  metadataIdlAccount,
} from '../../../../simulator/faces/node/idl-accounts.ts';
import { decodeBase58 } from '../../../lib/base58.ts';
import { asAddress } from '../../../model/units.ts';
import { PROGRAM_METADATA_PROGRAM } from './idl-address.ts';
import { IDL_BYTES_MAX, readAnchorIdl, readMetadataIdl } from './read-idl-account.ts';

const PROGRAM = asAddress('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P');
const OTHER = asAddress('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA');
const KEY = decodeBase58(PROGRAM) ?? new Uint8Array();
const TEXT = '{"name":"pump","instructions":[{"name":"köpa"}]}';
/** 100 MB of zeros in 100 KB. */
const BOMB = Buffer.alloc(100_000_000);

const anchor = (lies?: AnchorIdlLies) =>
  readAnchorIdl(anchorIdlAccount(PROGRAM, TEXT, lies), PROGRAM);
const metadata = (lies?: MetadataIdlLies) =>
  readMetadataIdl(metadataIdlAccount(PROGRAM, TEXT, lies), KEY);

describe("Anchor's account", () => {
  test('is read as text, independent of unused space after it', () => {
    expect(anchor()).toEqual({ status: 'ok', text: TEXT });
  });

  test.each<[string, AnchorIdlLies, string]>([
    ['of another program', { owner: OTHER }, 'the account is not owned by the program'],
    ['without a text', { length: 0 }, 'the account is empty'],
    ['that claims more than it has', { length: 2 ** 32 - 1 }, 'ends before its interface does'],
    ['with gzip', { payload: gzipSync(TEXT) }, 'not compressed with zlib'],
    ['with half a text', { payload: deflateSync(TEXT).subarray(0, 20) }, 'not compressed with'],
    ['with a bomb', { payload: deflateSync(BOMB) }, `longer than ${IDL_BYTES_MAX} bytes`],
    ['with other bytes', { payload: deflateSync(Uint8Array.of(0xc3, 0x28)) }, 'is not UTF-8'],
  ])('%s is refused with a reason', (_, lies, reason) => {
    expect(anchor(lies)).toEqual({
      status: 'unusable',
      reason: expect.stringContaining(reason) as string,
    });
  });
});

describe('the account of the Program Metadata program', () => {
  test.each([0, 1, 2] as const)('is read as text with compression %i', (compression) => {
    expect(metadata({ compression })).toEqual({ status: 'ok', text: TEXT });
  });

  test.each<[string, MetadataIdlLies, string]>([
    ['of another program', { owner: OTHER }, 'not owned by the Program Metadata program'],
    ['with the IDL of another program', { names: OTHER }, 'holds the IDL of another program'],
    ['that is being written', { discriminator: 1 }, 'is being written'],
    ['that is empty', { discriminator: 0 }, 'is not a metadata account'],
    ['with a URL', { source: 1 }, 'behind a URL, which is not followed'],
    ['that points elsewhere', { source: 2 }, 'in another account, which is not followed'],
    ['of an unknown source', { source: 7 }, 'unknown data source'],
    ['in base64', { encoding: 3 }, 'not UTF-8'],
    ['in YAML', { format: 2 }, 'not in JSON'],
    ['in an unknown compression', { compression: 9 }, 'in an unknown way'],
    ['that says gzip but is zlib', { compression: 1, payload: deflateSync(TEXT) }, 'with gzip'],
    ['with a bomb', { payload: deflateSync(BOMB) }, `longer than ${IDL_BYTES_MAX} bytes`],
    ['with a bomb of gzip', { compression: 1, payload: gzipSync(BOMB) }, 'longer than'],
    ['longer than the bound', { compression: 0, payload: BOMB.subarray(0, 9_000_000) }, 'longer'],
    ['without a text', { length: 0 }, 'the account is empty'],
    ['that claims more than it has', { length: 2 ** 31 }, 'ends before its interface does'],
  ])('%s is refused with a reason', (_, lies, reason) => {
    expect(metadata(lies)).toEqual({
      status: 'unusable',
      reason: expect.stringContaining(reason) as string,
    });
  });
});

test('neither reader throws for any bytes', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.uint8Array({ maxLength: 60 }).map((rest) => changed(anchorIdlAccount(PROGRAM, TEXT), rest)),
    fc
      .uint8Array({ maxLength: 60 })
      .map((rest) => changed(metadataIdlAccount(PROGRAM, TEXT), rest)),
  );
  fc.assert(
    fc.property(bytes, (any) => {
      readAnchorIdl({ owner: PROGRAM, bytes: any }, PROGRAM);
      readMetadataIdl({ owner: PROGRAM_METADATA_PROGRAM, bytes: any }, KEY);
    }),
  );
});

/** The account with some of its last bytes replaced. */
function changed({ bytes }: { readonly bytes: Uint8Array }, rest: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(rest, Math.max(0, copy.length - rest.length - 40));
  return copy;
}
