/**
 * Market makers' AMMs without a published interface. The known account order of each swap is from
 * routers that call it and is confirmed by recorded swaps. Their other instructions set prices and
 * move no tokens.
 */
import { legsOnlyDecoder } from '../legs/legs-only.ts';

export const solfi = legsOnlyDecoder({
  name: 'solfi',
  programId: 'SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe',
  swaps: [{ tag: '07', user: 0, pool: 1, vaults: [2, 3], userAccounts: [4, 5] }],
});

export const solfiV2 = legsOnlyDecoder({
  name: 'solfi_v2',
  programId: 'SV2EYYJyRz2YhfXwXnhNAevDEui5Q6yrfyo13WtupPF',
  swaps: [{ tag: '07', user: 0, pool: 1, vaults: [4, 5], userAccounts: [6, 7] }],
});

/** Its vaults own themselves; the vault that the trader pays into comes first. */
export const zerofi = legsOnlyDecoder({
  name: 'zerofi',
  programId: 'ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY',
  swaps: [
    { tag: '06', pool: 0, vaults: [2, 4], userAccounts: [5, 6], user: 7 },
    { tag: '10', pool: 0, vaults: [3, 5], userAccounts: [6, 7], user: 8 },
  ],
});

const OBRIC_SWAP = { pool: 0, vaults: [3, 4], userAccounts: [5, 6], user: 10 } as const;

/** An Anchor program: the tags are the hashes of its `swap` and `swap2`. */
export const obricV2 = legsOnlyDecoder({
  name: 'obric_v2',
  programId: 'obriQD1zbpyLz95G5n7nJe6a4DPjpFwa5XYPoNm113y',
  swaps: [
    { tag: 'f8c69e91e17587c8', ...OBRIC_SWAP },
    { tag: '414b3f4ceb5b5b88', ...OBRIC_SWAP },
  ],
});

/** Its data, including the tag, are obfuscated. */
export const humidifi = legsOnlyDecoder({
  name: 'humidifi',
  programId: '9H6tua7jkLhdm3w8BvgpTn5LZNU7g4ZynDmCiNN3q6Rp',
  swaps: [{ tag: '', user: 0, pool: 1, vaults: [2, 3], userAccounts: [4, 5] }],
});

/** One account owns the vaults of all its pools. Swaps have two tags. */
export const tessera = legsOnlyDecoder({
  name: 'tessera',
  programId: 'TessVdML9pBGgG9yGks7o4HewRaXVAMuoVj4x83GLQH',
  swaps: [{ tag: '', pool: 1, user: 2, vaults: [3, 4], userAccounts: [5, 6] }],
});

export const goonfi = legsOnlyDecoder({
  name: 'goonfi',
  programId: 'goonERTdGsjnkZqWuVjs73BZ3Pb9qoCUdBUL17BnS5j',
  swaps: [{ tag: '02', user: 0, pool: 1, userAccounts: [2, 3], vaults: [4, 5] }],
});

export const goonfiV2 = legsOnlyDecoder({
  name: 'goonfi_v2',
  programId: 'goonuddtQRrWqqn5nFyczVKaie28f3kDkHWkHtURSLE',
  swaps: [{ tag: '01', user: 0, pool: 1, userAccounts: [2, 3], vaults: [4, 5] }],
});

const BISONFI_SWAP = { user: 0, pool: 1, vaults: [2, 3], userAccounts: [4, 5] } as const;

export const bisonfi = legsOnlyDecoder({
  name: 'bisonfi',
  programId: 'BiSoNHVpsVZW2F7rx2eQ59yQwKxzU5NvBcmKshCSUypi',
  swaps: [
    { tag: '02', ...BISONFI_SWAP },
    { tag: '07', ...BISONFI_SWAP },
    { tag: '13', ...BISONFI_SWAP },
  ],
});

/** Pools that trade the same mint share its vault. */
export const alphaq = legsOnlyDecoder({
  name: 'alphaq',
  programId: 'ALPHAQmeA7bjrVuccPsYPiCvsi428SNwte66Srvs4pHA',
  swaps: [{ tag: '0c', user: 0, pool: 1, userAccounts: [3, 4], vaults: [5, 6] }],
});

export const kipseli = legsOnlyDecoder({
  name: 'kipseli',
  programId: '3TK9D8aoBFYjYZtKCjciPrVrRStsnvo7KmpcJqDavpaU',
  swaps: [{ tag: 'f0e02621b01ff1af', user: 0, pool: 1, vaults: [2, 3], userAccounts: [6, 7] }],
});

export const flux = legsOnlyDecoder({
  name: 'flux',
  programId: 'FLUX6xBayGxLX9UcimVRxXFMHH6q43mAbRvDzSpCsvfK',
  swaps: [{ tag: '03', user: 0, pool: 1, vaults: [2, 3], userAccounts: [4, 5] }],
});

const SCORCH_SWAP = { user: 1, userAccounts: [2, 3], vaults: [4, 5] } as const;

/** Prices come from another program that it calls, ojh19oja…, which moves no tokens. */
export const scorch = legsOnlyDecoder({
  name: 'scorch',
  programId: 'SCoRcH8c2dpjvcJD6FiPbCSQyQgu3PcUAWj2Xxx3mqn',
  swaps: [
    { tag: '01', pool: 11, ...SCORCH_SWAP },
    { tag: '02', pool: 15, ...SCORCH_SWAP },
  ],
});

export const obsidian = legsOnlyDecoder({
  name: 'obsidian',
  programId: 'HBVw6bZtcCaezhcBrmfyXBSBRWCdv72271xQ4GPvms2z',
  swaps: [{ tag: '01', user: 0, pool: 1, vaults: [3, 2], userAccounts: [4, 5] }],
});

/** The tag is followed by the side and two zeros. Leveraged positions exchange tokens as well. */
export const deriverse = legsOnlyDecoder({
  name: 'deriverse',
  programId: 'DRVSpZ2YUYYKgZP8XtLhAGtT1zYSCKzeHfb4DgRnrgqD',
  swaps: ['1a000000', '1a010000'].map((tag) => ({
    tag,
    user: 0,
    vaults: [3, 4] as const,
    pool: 5,
    userAccounts: [11, 12] as const,
  })),
  hasOtherExchanges: true,
});

export const aquifer = legsOnlyDecoder({
  name: 'aquifer',
  programId: 'AQU1FRd7papthgdrwPTTq5JacJh8YtwEXaBfKU3bTz45',
  swaps: [{ tag: '01', user: 1, userAccounts: [3, 6], pool: 9, vaults: [13, 15] }],
});

/**
 * Exchanges SOL for USDC from the vaults of one account; called by terminals. An Anchor program:
 * the tag is the hash of its `swap`. The vault that the trader pays into comes first.
 */
export const exa6gy = legsOnlyDecoder({
  name: 'exa6gy',
  programId: 'ExA6GYhHAeRNMWVNLrDir1SKPJZcZA2oaPq6uriSmxfJ',
  swaps: [{ tag: 'f8c69e91e17587c8', user: 0, pool: 1, vaults: [2, 3], userAccounts: [4, 5] }],
});
