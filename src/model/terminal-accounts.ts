/**
 * Trading terminals and bots that trade for their users, with the accounts that receive their fees.
 * Each account is publicly known as a receiver of that terminal's fees. Terminals also move money
 * between their own accounts and pay some back to users; those accounts do not identify a trade and
 * are not listed. The list is never complete: a trade without a terminal may have used an unknown
 * one.
 */
const FEE_ACCOUNTS = {
  alpha_dex: ['6qgwjhV2RQxcPffRdtQBTTEezRykQKXqhcDyv1z3r9tq'],
  autosnipe: ['CWEfC6fLi552zE2KFxhPiBAZUWdT78gMd8NGENik2zfE'],
  ave: ['2416yFoX5ep69Ae8u4EoWN2b1jRMC8diygQDf4zqNAQG'],
  axiom: [
    '7LCZckF6XXGQ1hDY6HFXBKWAtiUgL9QY5vj1C4Bn1Qjj',
    '4V65jvcDG9DSQioUVqVPiUcUY9v6sb6HKtMnsxSKEz5S',
    'CeA3sPZfWWToFEBmw5n1Y93tnV66Vmp8LacLzsVprgxZ',
    'AaG6of1gbj1pbDumvbSiTuJhRCRkkUNaWVxijSbWvTJW',
    '7oi1L8U9MRu5zDz5syFahsiLUric47LzvJBQX6r827ws',
    '9kPrgLggBJ69tx1czYAbp7fezuUmL337BsqQTKETUEhP',
    'DKyUs1xXMDy8Z11zNsLnUg3dy9HZf6hYZidB6WodcaGy',
    '4FobGn5ZWYquoJkxMzh2VUAWvV36xMgxQ3M7uG1pGGhd',
    '76sxKrPtgoJHDJvxwFHqb3cAXWfRHFLe3VpKcLCAHSEf',
    'H2cDR3EkJjtTKDQKk8SJS48du9mhsdzQhy8xJx5UMqQK',
    '8m5GkL7nVy95G4YVUbs79z873oVKqg2afgKRmqxsiiRm',
    '4kuG6NsAFJNwqEkac8GFDMMheCGKUPEbaRVHHyFHSwWz',
    '8vFGAKdwpn4hk7kc1cBgfWZzpyW3MEMDATDzVZhddeQb',
    '86Vh4XGLW2b6nvWbRyDs4ScgMXbuvRCHT7WbUT3RFxKG',
    'DZfEurFKFtSbdWZsKSDTqpqsQgvXxmESpvRtXkAdgLwM',
    '5L2QKqDn5ukJSWGyqR4RPvFvwnBabKWqAqMzH4heaQNB',
    'DYVeNgXGLAhZdeLMMYnCw1nPnMxkBN7fJnNpHmizTrrF',
    'Hbj6XdxX6eV4nfbYTseysibp4zZJtVRRPn2J3BhGRuK9',
    '846ah7iBSu9ApuCyEhA5xpnjHHX7d4QJKetWLbwzmJZ8',
    '5BqYhuD4q1YD3DMAYkc1FeTu9vqQVYYdfBAmkZjamyZg',
  ],
  banana_gun: [
    '8r2hZoDfk5hDWJ1sDujAi2Qr45ZyZw5EQxAXiMZWLKh2',
    'Cj297UauzMX64FU9dKJZRUBWszJ7tEWpVheasq4CfATV',
    'HKMh8nV3ysSofRi23LsfVGLGQKB415QAEfZT96kCcVj4',
    '7tQiiBdKoScWQkB1RmVuML7DBGnR31cuKPEtMM7Vy5SA',
    '4BBNEVRgrxVKv9f7pMNE788XM1tt379X9vNjpDH2KCL7',
    '47hEzz83VFR23rLTEeVm9A7eFzjJwjvdupPPmX3cePqF',
    'EMbqD9Y9jLXEa3RbCR8AsEW1kVa3EiJgDLVgvKh4qNFP',
    'Lk693UiTzQC4vobasRS1QGcYA9D6RGYLjHp1bWreQtM',
  ],
  bitfoot: ['BzmpLvrhZHKoXV7CW9F1AVPnie3hNh2JK3BRdHL4Zcya'],
  bloom: ['7HeD6sLLqAnKVRuSfc1Ko3BSPMNKWgGTiWLKXJF31vKM'],
  bonkbot: ['ZG98FUCjb8mJ824Gbs6RsgVmr1FhXb2oNiJHa2dwmPd'],
  bullx: [
    '9RYJ3qr5eU5xAooqVcbmdeusjcViL5Nkiq7Gske3tiKq',
    'F4hJ3Ee3c5UuaorKAMfELBjYCjiiLH75haZTKqTywRP3',
  ],
  cswap: ['CSWAP5SpPcVjvpsA1H2n2HjNjMsRaPnZuX8H8bVJN5wy'],
  falcon: ['DfkYw6zrr5cqzQHBTaXBsny54p5ip25CELUZ71hkS5LH'],
  gmgn: [
    'BB5dnY55FXS1e1NXqZDwCzgdYJdMCj3B92PU6Q5Fb6DT',
    '7sHXjs1j7sDJGVSMSPjD1b4v3FD6uRSvRWfhRdfv5BiA',
    'HeZVpHj9jLwTVtMMbzQRf6mLtFPkWNSg11o68qrbUBa3',
    'ByRRgnZenY6W2sddo1VJzX9o4sMU4gPDUkcmgrpGBxRy',
    'DXfkEGoo6WFsdL7x6gLZ7r6Hw2S6HrtrAQVPWYx2A1s9',
    '3t9EKmRiAUcQUYzTZpNojzeGP1KBAVEEbDNmy6wECQpK',
    'DymeoWc5WLNiQBaoLuxrxDnDRvLgGZ1QGsEoCAM7Jsrx',
    'dBhdrmwBkRa66XxBuAK4WZeZnsZ6bHeHCCLXa3a8bTJ',
    '6TxjC5wJzuuZgTtnTMipwwULEbMPx5JPW3QwWkdTGnrn',
  ],
  jupbot: ['H2mM9cXi42efgwkSzTRKMVaWHrqJJx1nzNdV1NxWaHjC'],
  looter: ['3Pu1V4duyLyVpAJue1kLAfr74nGjQ3JDzj3aJjnoEXuL'],
  maestro: [
    'FRMxAnZgkW58zbYcE7Bxqsg99VWpJh6sMP5xLzAWNabN',
    'MaestroUL88UBnZr3wfoN7hqmNWFi3ZYCGqZoJJHE36',
  ],
  magnum: [
    'CPixcsP8LEMeUoavaHG3bdkywR8s4mZXNN3mYUgbXFev',
    '8dEe5BM7irAnHtJ6SSWwCRf7njgnyczS3jPrvJJs88U5',
  ],
  mev_x: [
    '3kxSQybWEeQZsMuNWMRJH4TxrhwoDwfv41TNMLRzFP5A',
    'BS3CyJ9rRC4Tp8G7f86r6hGvuu3XdrVGNVpbNM9U5WRZ',
    '4Lpvp1q69SHentfYcMBUrkgvppeEx6ovHCSYjg4UYXiq',
  ],
  nova: ['noVaE91mUL5jTb8e9Vf6dqJdNPzJpEQ3uAdnQ8h4nVz'],
  padre: [
    'J5XGHmzrRmnYWbmw45DbYkdZAU2bwERFZ11qCDXPvFB5',
    'DoAsxPQgiyAxyaJNvpAAUb2ups6rbJRdYrCPyWxwRxBb',
  ],
  pepe_boost: ['G9PhF9C9H83mAjjkdJz4MDqkufiTPMJkx7TnKE1kFyCp'],
  photon: ['AVUCZyuT35YSuj4RH7fwiyPu82Djn2Hfg7y2ND2XcnZH'],
  pinkpunk: [
    '38e4GH49TwjXn2yARvnHueAKvU2xREtuchQahMiz3w9G',
    'DShXwLqk6ZHZFtdzE8HMDsGJLhEvrxgRdB5K16V28arK',
  ],
  prophetbots: [
    '55vkTc7nZoUQM92AfQG7T8bkNKD4TbWeBPRg8KjyUZre',
    'Hgckz7Sv8Q5grhLXxDFXGaJD6StPE7Yu8gz611nn1wKS',
  ],
  raybot: ['4mih95RmBqfHYvEfqq6uGGLp1Fr3gVS3VNSEa3JVRfQK'],
  readyswap: ['FNKVZeufZY2me2netdgj44tnxqPK1p5GTJkFWukWFRsN'],
  sanji: ['4E64WX4EARRMfHsvL4ZXbrbpiPcBUyrC62uawGofhdNN'],
  shuriken: [
    '9cSuF94JWPb1HQzWMcifJzkoggwAtfjsojcUqny5XuJy',
    'shuvodtwMMFFB6KmqCDYaiAe1hRokCVwr4LkT1pLAL5',
    'shrknHaCuVXmahvxLER4Qm9vooBzhbYsMP7HnAAS9Hn',
  ],
  sol_gun: ['J3W8Bv948phnEYFCHaSF9CPxbsdRn2LFjBCUwC7Vo5AN'],
  sol_trading_bot: [
    'HEPL5rTb6n1Ax6jt9z2XMPFJcDe9bSWvWQpsK7AMcbZg',
    'K1LRSA1DSoKBtC5DkcvnermRQ62YxogWSCZZPWQrdG5',
    'F34kcgMgCF7mYWkwLN3WN7KrFprr2NbwxuLvXx4fbztj',
    '96aFQc9qyqpjMfqdUeurZVYRrrwPJG2uPV6pceu4B1yb',
    'BTQyUXhxiLrFPD5JUANCwg4ViibmNY39McmWk4bVNxLA',
    '4vfFG2xGZsjXQgA6ZCTzA1PgUGLppFHY9eGnh3ZVGUuz',
    'A7XTexV13EPnhtH55qhT7qmFkgYCMAMnfXk89VWu9PCJ',
    'GreGavLfh5sK1BeQ2WYvmk352wbyNNzQdCmqWCV8QSib',
  ],
  soul_sniper: ['6MgcmcZJXfyux7rRSsvjWaG8iegQ29KLxMtWHKoCZ7fn'],
  tirador: ['3CicL2SZhjeZrMkQ4trT2di2RKaffovBADqHvRrYKsaJ'],
  tradewiz: ['97VmzkjX9w8gMFS2RnHTSjtMEDbifGXBq9pgosFdFnM'],
  trojan: [
    'BBYXdwhqbCxVRVtnuMTTxh8biNisz3ZxsnHfr44jXytR',
    '9yMwSPk9mrXSN7yDHUuZurAh1sjbJsfpUqjZ7SvVtdco',
    '92Med3qeK7duC5iiYsHX38H2f2twJfRsSx93oNrza2VH',
    '2jwHNxavSoMZMEDbT1eV9PcPt5dDcayCqM6MkgaPpmWQ',
    '65gDv7pZQCZELsNpNYSFEBtNFpWZAbxmRFB6BGMqFkHH',
    'BWgb8wR1FEGiu1jCDSKuHKf752W27b4iN6SvoNCiK4qp',
    '8jgg7moFJkHyTtAv9M6RBSPMp2oXeXhuiUMKW8YbYCWn',
  ],
  unibot: [
    '8FEE2ghpWPoxsypBLW87yyqmChjUbcZz41V7bzfiJqGF',
    '7Yr577ubghnmUTvFgB23iPw3FWReMt18WehCz2b2c9mV',
  ],
  wifbot: ['W1FCMFH3D7QeQcsNSTCMTpJ9BxQdk6VzeQMLJp2dNro'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * A terminal's name, for display only: rules depend on whether there is a terminal, not on which
 * one.
 */
export type Terminal = keyof typeof FEE_ACCOUNTS;

/** The terminal of each fee account. */
export const TERMINAL_OF_FEE_ACCOUNT: ReadonlyMap<string, Terminal> = new Map(
  Object.entries(FEE_ACCOUNTS).flatMap(([terminal, accounts]) =>
    accounts.map((account) => [account, terminal as Terminal] as const),
  ),
);
