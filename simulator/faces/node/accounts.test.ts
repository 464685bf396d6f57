import {
  address,
  createSolanaRpc,
  getAddressDecoder,
  getBase64Codec,
  getU16Decoder,
  getU32Decoder,
  getU64Decoder,
} from '@solana/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { TOKEN_2022_PROGRAM } from '../../../src/model/program.ts';
import type { Address } from '../../../src/model/units.ts';
import { call, post } from '../../../tests/support/node-client.ts';
import { recordedChain, TransferMarket } from '../../../tests/support/transfer-market.ts';
import { createMetaplexMetadata } from '../../programs/metaplex.ts';
import { mintTokens } from '../../programs/token.ts';
import { initializeTokenMetadata } from '../../programs/token-2022.ts';
import { SimulatedNode } from './simulated-node.ts';

const open: SimulatedNode[] = [];
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
});

async function startNode(slots: number, forkRate = 0) {
  const chain = new TransferMarket({ skipRate: 0, forkRate, forkSlotsMax: 5, transfersPerSlot: 3 });
  const { steps, simulation } = recordedChain(chain);
  const node = new SimulatedNode({ simulation, genesisHash: 'x' });
  open.push(node);
  const port = await node.listen(0);
  while (steps.length < slots) node.advance();
  return { chain, node, port, steps, rpc: createSolanaRpc(`http://127.0.0.1:${port}`) };
}

const FINALIZED = { commitment: 'finalized' } as const;

/** Fields at the offsets of spl-token's `Mint`, read with kit's decoders. */
function readMint(bytes: ReturnType<ReturnType<typeof getBase64Codec>['encode']>) {
  return {
    mintAuthority:
      getU32Decoder().decode(bytes, 0) === 1 ? getAddressDecoder().decode(bytes, 4) : null,
    supply: getU64Decoder().decode(bytes, 36),
    decimals: bytes[44],
    isInitialized: bytes[45],
    hasFreezeAuthority: getU32Decoder().decode(bytes, 46),
  };
}

describe('accounts', () => {
  it('have the 82 bytes of the SPL layout', async () => {
    const { rpc, chain } = await startNode(40);
    const config = { ...FINALIZED, encoding: 'base64' } as const;
    const { value } = await rpc.getAccountInfo(address(chain.plainMint), config).send();
    const bytes = getBase64Codec().encode(value?.data[0] ?? '');
    expect([bytes.length, value?.space]).toEqual([82, 82n]);
    expect(readMint(bytes)).toEqual({
      mintAuthority: chain.wallets[0],
      supply: 10n ** 15n,
      decimals: 6,
      isInitialized: 1,
      hasFreezeAuthority: 0,
    });
  });

  it('of Token-2022 have their transfer fee as an extension after 165 bytes and a type byte', async () => {
    const { rpc, chain } = await startNode(40);
    const config = { ...FINALIZED, encoding: 'base64' } as const;
    const { value } = await rpc.getMultipleAccounts([address(chain.feeMint)], config).send();
    expect(value[0]?.owner).toBe(TOKEN_2022_PROGRAM);
    const bytes = getBase64Codec().encode(value[0]?.data[0] ?? '');
    expect(readMint(bytes).supply).toBe(10n ** 15n);
    expect(bytes.slice(82, 165)).toEqual(new Uint8Array(83));
    // AccountType::Mint, ExtensionType::TransferFeeConfig, and the size of its state.
    expect(bytes[165]).toBe(1);
    expect(getU16Decoder().decode(bytes, 166)).toBe(1);
    expect(getU16Decoder().decode(bytes, 168)).toBe(108);
    expect(bytes.length).toBe(170 + 108);
    const newer = 170 + 32 + 32 + 8 + 18;
    expect(getU64Decoder().decode(bytes, newer + 8)).toBe(5_000n);
    expect(getU16Decoder().decode(bytes, newer + 16)).toBe(125);
  });

  it('have metadata of Token-2022 after a pointer to themselves, and return it parsed', async () => {
    const { node, rpc, port, chain } = await startNode(5);
    const [authority] = chain.wallets as [Address];
    const { world, feeMint: mint } = chain;
    const text = { name: 'Größe 🚀', symbol: 'BIG', uri: 'https://example.org/big.json' };
    world.send({
      feePayer: authority,
      build: (execution) =>
        initializeTokenMetadata(execution, {
          mint,
          mintAuthority: authority,
          updateAuthority: authority,
          text,
        }),
    });
    for (let slots = 0; slots < 40; slots++) node.advance();
    const config = { ...FINALIZED, encoding: 'base64' } as const;
    const { value } = await rpc.getAccountInfo(address(mint), config).send();
    const bytes = getBase64Codec().encode(value?.data[0] ?? '');
    expect([getU16Decoder().decode(bytes, 166), getU16Decoder().decode(bytes, 168)]).toEqual([
      18, 64,
    ]);
    expect(getAddressDecoder().decode(bytes, 170 + 32)).toBe(mint);
    // After the pointer (68 bytes) and the fee (112): type, length, authority, mint, name.
    const start = 166 + 68 + 112;
    expect(getU16Decoder().decode(bytes, start)).toBe(19);
    expect(getU16Decoder().decode(bytes, start + 2)).toBe(bytes.length - start - 4);
    expect(getAddressDecoder().decode(bytes, start + 4)).toBe(authority);
    const nameBytes = getU32Decoder().decode(bytes, start + 68);
    expect(Buffer.from(bytes.slice(start + 72, start + 72 + nameBytes)).toString()).toBe(text.name);
    const { result } = await call(port, 'getAccountInfo', mint, { encoding: 'jsonParsed' });
    expect(result).toMatchObject({
      value: {
        data: {
          parsed: {
            info: {
              extensions: [
                { extension: 'metadataPointer', state: { metadataAddress: mint } },
                { extension: 'transferFeeConfig' },
                { extension: 'tokenMetadata', state: { ...text, updateAuthority: authority } },
              ],
            },
          },
        },
      },
    });
  });

  it('of Metaplex contain name, symbol and link, padded to their fixed lengths', async () => {
    const { node, rpc, chain } = await startNode(5);
    const [authority] = chain.wallets as [Address];
    const { world, plainMint: mint } = chain;
    const metadata = world.keyring.account();
    const text = { name: 'Größe 🚀', symbol: 'BIG', uri: 'https://example.org/big.json' };
    world.send({
      feePayer: authority,
      build: (execution) =>
        createMetaplexMetadata(execution, {
          metadata,
          mint,
          mintAuthority: authority,
          updateAuthority: authority,
          payer: authority,
          text,
          creator: authority,
          isMutable: true,
        }),
    });
    for (let slots = 0; slots < 40; slots++) node.advance();
    const config = { ...FINALIZED, encoding: 'base64' } as const;
    const { value } = await rpc.getAccountInfo(address(metadata), config).send();
    expect(value?.owner).toBe('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
    const bytes = getBase64Codec().encode(value?.data[0] ?? '');
    expect([bytes.length, bytes[0]]).toEqual([607, 4]);
    expect(getAddressDecoder().decode(bytes, 1)).toBe(authority);
    expect(getAddressDecoder().decode(bytes, 33)).toBe(mint);
    // Offsets of the strings as every indexer uses them: 65 + 4, 101 + 4, 115 + 4.
    const textAt = (start: number, length: number) =>
      Buffer.from(bytes.slice(start, start + length))
        .toString()
        .replace(/\0+$/, '');
    expect([textAt(69, 32), textAt(105, 10), textAt(119, 200)]).toEqual(Object.values(text));
  });

  it('write the last rent epoch with all its digits', async () => {
    const { port, chain } = await startNode(40);
    const body = { jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [chain.plainMint] };
    const { text } = await post(port, JSON.stringify(body));
    expect(text).toContain('"rentEpoch":18446744073709551615,');
  });

  it('are parsed as nodes parse them', async () => {
    const { port, chain } = await startNode(40);
    const { result } = await call(port, 'getAccountInfo', chain.feeMint, {
      encoding: 'jsonParsed',
    });
    expect(result).toMatchObject({
      value: {
        data: {
          program: 'spl-token-2022',
          parsed: {
            type: 'mint',
            info: {
              decimals: 6,
              supply: '1000000000000000',
              mintAuthority: chain.wallets[0],
              freezeAuthority: null,
              extensions: [
                {
                  extension: 'transferFeeConfig',
                  state: {
                    newerTransferFee: { maximumFee: 5_000, transferFeeBasisPoints: 125 },
                    withheldAmount: 0,
                  },
                },
              ],
            },
          },
        },
      },
    });
  });

  it('are returned as slices and in the other encodings, base58 only while short', async () => {
    const { port, chain } = await startNode(40);
    const slice = { dataSlice: { offset: 44, length: 1 } };
    const ask = (mint: Address, options: object) => call(port, 'getAccountInfo', mint, options);
    const dataOf = ({ result }: { result?: unknown }) =>
      (result as { value: { data: unknown } }).value.data;
    // 6 is the one byte of decimals, and the seventh character of the base58 alphabet.
    expect(dataOf(await ask(chain.plainMint, { ...slice, encoding: 'base58' }))).toEqual([
      '7',
      'base58',
    ]);
    expect(dataOf(await ask(chain.plainMint, slice))).toBe('7');
    expect((await ask(chain.feeMint, { encoding: 'base58' })).error?.code).toBe(-32600);
    expect((await ask(chain.plainMint, { encoding: 'gzip' })).error?.code).toBe(-32602);
    expect((await ask(chain.plainMint, { dataSlice: { offset: -1 } })).error?.code).toBe(-32602);
  });

  it('are null for an address without a mint', async () => {
    const { port, chain } = await startNode(40);
    const { result } = await call(port, 'getAccountInfo', chain.wallets[0], {});
    expect(result).toMatchObject({ value: null });
  });

  it('show at each commitment the supply after its blocks, regardless of dropped branches', async () => {
    const { node, port, chain, steps } = await startNode(45, 0.3);
    const [authority] = chain.wallets as [Address];
    const { world, plainMint: mint } = chain;
    const supplyAt = async (commitment: string) => {
      const options = { commitment, encoding: 'jsonParsed' };
      const { result } = await call(port, 'getAccountInfo', mint, options);
      const { context, value } = result as SupplyAnswer;
      return [context.slot, BigInt(value.data.parsed.info.supply)];
    };
    /** Computed from the mint instructions of the blocks visible at a commitment level. */
    const expected = async (commitment: string) => {
      const slot = (await call(port, 'getSlot', { commitment })).result as number;
      const settled = steps.findLast(({ isCanonical }) => isCanonical)?.block.slot ?? 0;
      const minted = steps
        .filter(
          ({ block, isCanonical }) => block.slot <= slot && (isCanonical || block.slot > settled),
        )
        .flatMap(({ block }) => block.transactions)
        .filter(({ error, staticKeys }) => error === null && staticKeys.includes(mint))
        .flatMap(({ instructions, staticKeys }) =>
          instructions.filter(
            ({ data, accountIndexes }) =>
              data[0] === 7 && staticKeys[accountIndexes[0] ?? 0] === mint,
          ),
        )
        .map(({ data }) => getU64Decoder().decode(data, 1));
      return [slot, minted.reduce((sum, amount) => sum + amount, 0n)];
    };
    const seen = new Set<string>();
    for (let slots = 0; slots < 60; slots++) {
      world.send({
        feePayer: authority,
        build: (execution) => {
          const to = world.tokenAccounts.of(authority, mint);
          mintTokens(execution, { mint, to, authority, amountRaw: BigInt(slots + 1) });
        },
      });
      node.advance();
      for (const commitment of ['processed', 'confirmed', 'finalized']) {
        expect(await supplyAt(commitment)).toEqual(await expected(commitment));
      }
      seen.add(String(steps.at(-1)?.isCanonical));
    }
    expect(seen).toEqual(new Set(['true', 'false']));
  });
});

interface SupplyAnswer {
  readonly context: { readonly slot: number };
  readonly value: {
    readonly data: { readonly parsed: { readonly info: { readonly supply: string } } };
  };
}
