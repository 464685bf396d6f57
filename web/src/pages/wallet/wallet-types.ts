import type { BodyOf } from '../../api/client.ts';

export type Wallet = BodyOf<'/v1/wallets/{address}'>;
export type Automation = NonNullable<Wallet['automation']>;
export type TokenRule = Wallet['token_rules'][number];
export type Skill = NonNullable<Wallet['skill']>;
export type Position = Wallet['positions'][number];
export type Trade = BodyOf<'/v1/wallets/{address}/trades'>['trades'][number];
export type Link = BodyOf<'/v1/wallets/{address}/links'>['links'][number];
export type LinkTransaction = Link['transactions'][number];
export type CreatedToken = BodyOf<'/v1/wallets/{address}/created-tokens'>['tokens'][number];

/** A name of the API as words: `same_slot_pairs` is "same slot pairs". */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}
