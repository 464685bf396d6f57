/**
 * AMMs of market makers that publish no interface. What is known of each is the account order of its
 * swap, as routers that call it have it and as recorded swaps confirm it (Tessera's is not among
 * them). Their other instructions set prices and move no tokens.
 */
import { legsOnlyDecoder } from '../legs-only.ts';

export const solfi = legsOnlyDecoder({
  name: 'solfi',
  programId: 'SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe',
  swap: { tag: [7], user: 0, pool: 1, vaults: [2, 3], userAccounts: [4, 5] },
});

/** Its vaults own themselves, and the one the trader pays into comes first. */
export const zerofi = legsOnlyDecoder({
  name: 'zerofi',
  programId: 'ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY',
  swap: { tag: [6], pool: 0, vaults: [2, 4], userAccounts: [5, 6], user: 7 },
});

/** An Anchor program, so that the tag is the hash of its `swap`. */
export const obricV2 = legsOnlyDecoder({
  name: 'obric_v2',
  programId: 'obriQD1zbpyLz95G5n7nJe6a4DPjpFwa5XYPoNm113y',
  swap: {
    tag: [0xf8, 0xc6, 0x9e, 0x91, 0xe1, 0x75, 0x87, 0xc8],
    pool: 0,
    vaults: [3, 4],
    userAccounts: [5, 6],
    user: 10,
  },
});

/** Its data are obfuscated, tag included. */
export const humidifi = legsOnlyDecoder({
  name: 'humidifi',
  programId: '9H6tua7jkLhdm3w8BvgpTn5LZNU7g4ZynDmCiNN3q6Rp',
  swap: { tag: [], user: 0, pool: 1, vaults: [2, 3], userAccounts: [4, 5] },
});

/** One account owns the vaults of all its pools. Swaps have two tags. */
export const tessera = legsOnlyDecoder({
  name: 'tessera',
  programId: 'TessVdML9pBGgG9yGks7o4HewRaXVAMuoVj4x83GLQH',
  swap: { tag: [], pool: 1, user: 2, vaults: [3, 4], userAccounts: [5, 6] },
});

export const goonfi = legsOnlyDecoder({
  name: 'goonfi',
  programId: 'goonERTdGsjnkZqWuVjs73BZ3Pb9qoCUdBUL17BnS5j',
  swap: { tag: [2], user: 0, pool: 1, userAccounts: [2, 3], vaults: [4, 5] },
});
