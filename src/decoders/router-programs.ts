import type { RouterName } from '../model/program.ts';
import type { Address } from '../model/units.ts';

/**
 * Programs that own no pools and call those of others for a user: aggregators, the routers of
 * trading terminals, and programs that execute orders over time. A new one is a line here and a
 * name in the model.
 */
export const ROUTER_PROGRAMS: Readonly<Record<RouterName, string>> = {
  jupiter_v2: 'JUP2jxvXaqu7NQY1GmNF4m1vodw12LVXYxbFL2uJvfo',
  jupiter_v3: 'JUP3c2Uh3WA4Ng34tw6kPd2G4C5BB21Xo36Je1s32Ph',
  jupiter_v4: 'JUP4Fb2cqiRUcaTHdrPC8h2gNsA2ETXiPDD33WcGuJB',
  jupiter_v6: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
  jupiter_dca: 'DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M',
  jupiter_limit_v1: 'jupoNjAxXgZ4rjzxzPMP4oxduvQsQtZzyknqvzYNrNu',
  jupiter_limit_v2: 'j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X',
  jupiter_value_average: 'VALaaymxQh2mNy2trH9jUqHT1mTow76wpTcGmSWSwJe',
  okx_dex: '6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma',
  okx_dex_v2: 'proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u',
  dflow: 'DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH',
  titan: 'T1TANpTeScyeqVzzgNViGDNrkQ6qHz9KrSBS4aNXvGT',
  raydium_route: 'routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS',
  sanctum_router: 'stkitrT1Uoy18Dk1fTrgPw8W6MVzoCfYoAFT4MLsmhq',
  pump_router: 'AzcZqCRUQgKEg5FTAgY7JacATABEYCEfMbjXEzspLYFB',
  photon: 'BSfD6SHZigAfDWSjzD5Q41jw8LmKwtmjskPH9XW1mrRW',
  axiom: 'FLASHX8DrLbgeR8FcfNV1F5krxYcYMUdBkrP1EPBtxB9',
  bloom: 'b1oomGGqPKGD6errbyfbVMBuzSC8WtAAYo8MwNafWW1',
};

const ADDRESSES: ReadonlySet<string> = new Set(Object.values(ROUTER_PROGRAMS));

export function isRouterProgram(programId: Address): boolean {
  return ADDRESSES.has(programId);
}
