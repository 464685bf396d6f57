import type { RouterName } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';

/**
 * Programs that own no pools and call other programs' pools for a user: aggregators, routers of
 * trading terminals, and programs that execute orders over time. To add one, add a line here and a
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
  pump_app: '6Vo3245eszAb5wuqEMw8mGdbfRUdKbHhDHP5LcaGuTAB',
  // Fills an order between two wallets; calls no pool.
  jupiter_z: '61DFfeTKM7trxYcPQCM78bJ794ddZprZpAwAnLiwTpYH',
  binance_wallet: 'B3111yJCeHBcA1bizdJjUFPALfhAfSRnAbJzGUtnt56A',
  byreal_router: 'REALp6iMBDTctQqpmhBo4PumwJGcybbnDpxtax3ara3',
  nina: 'NinafKYvKDCH26v6uEpfDjyuDjjpbdfhiPjrJV6FTFs',
  photon: 'BSfD6SHZigAfDWSjzD5Q41jw8LmKwtmjskPH9XW1mrRW',
  axiom: 'FLASHX8DrLbgeR8FcfNV1F5krxYcYMUdBkrP1EPBtxB9',
  bloom: 'b1oomGGqPKGD6errbyfbVMBuzSC8WtAAYo8MwNafWW1',
  padre: 'term9YPb9mzAsABaqN71A4xdbxHmpBNZavpBiQKZzN3',
  trojan: 'troyXT7Ty3s2rjJe4bqWaroUrS4Fjd8rbHHNHxcACF4',
  gmgn_v1: 'GMgnVFR8Jb39LoXsEVzb3DvBy3ywCmdmJquHUy1Lrkqb',
  gmgn_v2: 'GMGNreQcJFufBiCTLDBgKhYEfEe9B454UjpDr5CaSLA1',
  banana_gun: 'BANANAjs7FJiPQqJTGFzkZJndT9o7UmKiYYGaJz6frGu',
  nova: 'NoVA1TmDUqksaj2hB1nayFkPysjJbFiU76dT4qPw2wm',
  program_9gcbb4: '9GCBb4NsSDRuEkkGfQkN37oppmMVPops5sXDWhAKAvQQ',
  program_bxp3bj: 'BXp3BjLZp4iQZpEe1vXbiX8xxM1wEtmn5wr27tvQEmW7',
  program_hqsqog: 'HQSqoGwf4ZSLoW2kMgLVE4hrWMirM9JPf2TShxYWCZzW',
  program_mtvwnh: 'MtvwNH8eijJV3Pxcak9ZzsXeX7rWiAB2QGaPz1XDpd2',
};

const ADDRESSES: ReadonlySet<string> = new Set(Object.values(ROUTER_PROGRAMS));

export function isRouterProgram(programId: Address): boolean {
  return ADDRESSES.has(programId);
}
