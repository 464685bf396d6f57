import type { SwapWitness } from './swap-witness.ts';

const PUBLIC_DECODER = 'a public decoder that is held against finalized transactions';
const VAULTS_2_3 = { 2: 'base vault', 3: 'quote vault', 4: 'user base', 5: 'user sol' };
const VAULTS_4_5 = { 2: 'user base', 3: 'user sol', 4: 'base vault', 5: 'quote vault' };
const BISONFI = {
  venue: 'bisonfi',
  program: 'BiSoNHVpsVZW2F7rx2eQ59yQwKxzU5NvBcmKshCSUypi',
  accounts: { 0: 'wallet', 1: 'pool', ...VAULTS_2_3 },
} as const;

/** Swaps of programs without a published interface; a source that is a signature was recorded. */
export const UNPUBLISHED_AMM_WITNESSES: readonly SwapWitness[] = [
  {
    venue: 'solfi',
    program: 'SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe',
    source:
      '4VhDRLUK5QDZ6kgN9PCeEoztUraCibwYA3XaLZUKhfwWxqeN96Qg7Ep4w2j5C1VtggbuU6dqkGczGC537byu9hG3',
    data: '079bc1000000000000000000000000000000',
    accountCount: 8,
    accounts: { 0: 'wallet', 1: 'pool', ...VAULTS_2_3 },
  },
  {
    venue: 'solfi_v2',
    program: 'SV2EYYJyRz2YhfXwXnhNAevDEui5Q6yrfyo13WtupPF',
    source:
      '2cYxRV9Hj64Pjj9a9LGNRa7CKLg9ykHKSyFpuiNF5UzEWecUPTAzvTr4MAii5zKPqR6T5b9yc3uiozc3TKuB5U14',
    data: '07127e2e6b00000000000000000000000000',
    accountCount: 13,
    accounts: {
      0: 'wallet',
      1: 'pool',
      4: 'base vault',
      5: 'quote vault',
      6: 'user base',
      7: 'user sol',
    },
  },
  {
    venue: 'zerofi',
    program: 'ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY',
    source:
      '2HY8QAnu6fe8fZVC9ntdFR2anXFbeJAHdvWKiMAcBD8oGEh3jbUNYUjqFPMzw1AFcW8R6JikmiEoHDpAo8VW2h6J',
    data: '06ec053102000000000000000000000000',
    accountCount: 10,
    accounts: {
      0: 'pool',
      2: 'quote vault',
      4: 'base vault',
      5: 'user sol',
      6: 'user base',
      7: 'wallet',
    },
  },
  {
    venue: 'zerofi',
    program: 'ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY',
    source: `${PUBLIC_DECODER}, the newer instruction`,
    data: '1001000000000000000200000000000000',
    accountCount: 14,
    accounts: {
      0: 'pool',
      3: 'quote vault',
      5: 'base vault',
      6: 'user sol',
      7: 'user base',
      8: 'wallet',
    },
  },
  {
    venue: 'obric_v2',
    program: 'obriQD1zbpyLz95G5n7nJe6a4DPjpFwa5XYPoNm113y',
    source:
      '28rWme56aMyaP8oX18unFeZg65iyDEhjLhvMBpxyFgKcn38P37ZRsssSZoHDCCr5xUfwfpqsVSSBoShLitHQLdrr',
    data: 'f8c69e91e17587c80012200f00000000000000000000000000',
    accountCount: 12,
    accounts: {
      0: 'pool',
      3: 'base vault',
      4: 'quote vault',
      5: 'user base',
      6: 'user sol',
      10: 'wallet',
    },
  },
  {
    venue: 'obric_v2',
    program: 'obriQD1zbpyLz95G5n7nJe6a4DPjpFwa5XYPoNm113y',
    source:
      '64vQEdjL2qjyS6E5SA5sHvMvpMHrnJwgdWYNHsurS8m8Matgv5AUFtyNE4WqRoLjBcx6KcEAkcCZK2TRCniwNrW',
    data: '414b3f4ceb5b5b88007e244010000000000000000000000000',
    accountCount: 12,
    accounts: {
      0: 'pool',
      3: 'base vault',
      4: 'quote vault',
      5: 'user base',
      6: 'user sol',
      10: 'wallet',
    },
  },
  {
    venue: 'humidifi',
    program: '9H6tua7jkLhdm3w8BvgpTn5LZNU7g4ZynDmCiNN3q6Rp',
    source:
      '27Zf2ecD5ycW92oWkzJ7QbiChBUGJDaeViFtJ7FzCMSFSPjY8VHMVnvs1TzBUQCvCYXiAkN11AEfTXypu9dK98mm',
    data: '5331a659a9fae22b5204559be3baeac338ff2dffe0bae9c33d',
    accountCount: 9,
    accounts: { 0: 'wallet', 1: 'pool', ...VAULTS_2_3 },
  },
  {
    venue: 'tessera',
    program: 'TessVdML9pBGgG9yGks7o4HewRaXVAMuoVj4x83GLQH',
    source:
      '18gawNU3TbUoWQAFbC4tXbgNBVhJq4sPVCXtBT5VL4X5PErqLgNn2ZaizZWCb7r2YWXn86aMvKPMCaMtqeESGRg',
    data: '10016f3ad801000000000000000000000000',
    accountCount: 12,
    accounts: {
      1: 'pool',
      2: 'wallet',
      3: 'base vault',
      4: 'quote vault',
      5: 'user base',
      6: 'user sol',
    },
  },
  {
    venue: 'goonfi',
    program: 'goonERTdGsjnkZqWuVjs73BZ3Pb9qoCUdBUL17BnS5j',
    source:
      '25ADoxi7b9xEDMvRbTr1vPUgZVZzyPaYibrPh9w27Z2XydkSVvMuitHFrdy6sWkAL4GfN3Xhp1E29V7nQKB8zu1f',
    data: '0201ff1596b80600000000000000000000000000',
    accountCount: 9,
    accounts: { 0: 'wallet', 1: 'pool', ...VAULTS_4_5 },
  },
  {
    venue: 'goonfi_v2',
    program: 'goonuddtQRrWqqn5nFyczVKaie28f3kDkHWkHtURSLE',
    source:
      '66NAH8RtPGibQg7MQFr2J9fhTz5uEV3TQj2gKyZZjDw5BHS9QpniknGCuAKdiyev1o2m3KHm9DKfo62TeMDB2RDb',
    data: '0101ae1a7a0100000000000000000000000000',
    accountCount: 13,
    accounts: { 0: 'wallet', 1: 'pool', ...VAULTS_4_5 },
  },
  {
    ...BISONFI,
    source:
      '5vBSx86kHFrhsbYjQ6bqpAaNWBu4s4L5ZnGwNxkTJ5gu4ARQdDTCtnHxUondcJf5jnh4REn4VPRD1u3GW5mC8DM5',
    data: '02d8a7143900000000000000000000000000',
    accountCount: 10,
  },
  {
    ...BISONFI,
    source: `${PUBLIC_DECODER}, with tag 7`,
    data: '0701000000000000000200000000000000ff00',
    accountCount: 8,
  },
  {
    ...BISONFI,
    source: `${PUBLIC_DECODER}, with tag 19`,
    data: `1301000000000000000200000000000000${'00'.repeat(136)}`,
    accountCount: 8,
  },
  {
    venue: 'alphaq',
    program: 'ALPHAQmeA7bjrVuccPsYPiCvsi428SNwte66Srvs4pHA',
    source:
      '5d9PSTCZ23iYyBtDmJdVvnBVcGmY5BT15DxypSavHF4nw22mNVJcxHmpGzrwdvAe7Q1XatMCBjaK3STmF3ueUyGx',
    data: '0c0044b33407000000000000000000000000',
    accountCount: 12,
    accounts: {
      ...{
        0: 'wallet',
        1: 'pool',
        3: 'user base',
        4: 'user sol',
        5: 'base vault',
        6: 'quote vault',
      },
      ...{ 7: 'base vault', 8: 'quote vault', 9: 'quote vault' },
    },
  },
  {
    venue: 'kipseli',
    program: '3TK9D8aoBFYjYZtKCjciPrVrRStsnvo7KmpcJqDavpaU',
    source: PUBLIC_DECODER,
    data: 'f0e02621b01ff1af0100000000000000020000000000000001',
    accountCount: 15,
    accounts: {
      0: 'wallet',
      1: 'pool',
      2: 'base vault',
      3: 'quote vault',
      6: 'user base',
      7: 'user sol',
    },
  },
  {
    venue: 'flux',
    program: 'FLUX6xBayGxLX9UcimVRxXFMHH6q43mAbRvDzSpCsvfK',
    source: PUBLIC_DECODER,
    data: '030100000000000000020000000000000001',
    accountCount: 11,
    accounts: { 0: 'wallet', 1: 'pool', ...VAULTS_2_3 },
  },
  {
    venue: 'scorch',
    program: 'SCoRcH8c2dpjvcJD6FiPbCSQyQgu3PcUAWj2Xxx3mqn',
    source:
      '5HFr6ezvdgYu86kEJfbgWhu8DJ7aZDzD24FkGWLRAjU4FDNJdFeyJooyqvRHm783B1eCSQ5Sc9ifaBntZ7FzEtqj',
    data: '02b0e068bc4fc13653140000000c000006009c2b6008000000000000000000000000',
    accountCount: 17,
    accounts: {
      1: 'wallet',
      2: 'user sol',
      3: 'user base',
      4: 'quote vault',
      5: 'base vault',
      15: 'pool',
    },
  },
  {
    venue: 'scorch',
    program: 'SCoRcH8c2dpjvcJD6FiPbCSQyQgu3PcUAWj2Xxx3mqn',
    source: `${PUBLIC_DECODER}, with tag 1`,
    data: `01${'00'.repeat(33)}`,
    accountCount: 12,
    accounts: {
      1: 'wallet',
      2: 'user sol',
      3: 'user base',
      4: 'quote vault',
      5: 'base vault',
      11: 'pool',
    },
  },
  {
    venue: 'obsidian',
    program: 'HBVw6bZtcCaezhcBrmfyXBSBRWCdv72271xQ4GPvms2z',
    source: PUBLIC_DECODER,
    data: '010100000000000000',
    accountCount: 8,
    accounts: { 0: 'wallet', 1: 'pool', ...VAULTS_2_3 },
  },
  {
    venue: 'deriverse',
    program: 'DRVSpZ2YUYYKgZP8XtLhAGtT1zYSCKzeHfb4DgRnrgqD',
    source: PUBLIC_DECODER,
    data: `1a010000${'00'.repeat(12)}0100000000000000${'00'.repeat(8)}`,
    accountCount: 15,
    accounts: {
      0: 'wallet',
      3: 'base vault',
      4: 'quote vault',
      5: 'pool',
      11: 'user base',
      12: 'user sol',
    },
  },
  {
    venue: 'aquifer',
    program: 'AQU1FRd7papthgdrwPTTq5JacJh8YtwEXaBfKU3bTz45',
    source: 'two public clients, which agree on the accounts',
    data: '010100000000000000',
    accountCount: 16,
    accounts: {
      1: 'wallet',
      3: 'user base',
      6: 'user sol',
      9: 'pool',
      13: 'quote vault',
      15: 'base vault',
    },
  },
  {
    venue: 'exa6gy',
    program: 'ExA6GYhHAeRNMWVNLrDir1SKPJZcZA2oaPq6uriSmxfJ',
    source:
      'uyEeVWMnHBCKGhAg4oaBhVa2aJrtp8Vhh1xrkCbR9aMViLEjSjpEmoZBKM86sbyZ55pi89aJNgMZYQX9B61tCXL',
    data: `f8c69e91e17587c8604ff3020000000001${'00'.repeat(23)}`,
    accountCount: 8,
    accounts: {
      0: 'wallet',
      1: 'pool',
      2: 'quote vault',
      3: 'base vault',
      4: 'user sol',
      5: 'user base',
    },
  },
];
