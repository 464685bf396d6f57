import type { ParamsOf } from '../../api/client.ts';
import { parseBound, type Unit } from './parse-bound.ts';

type TokenParams = ParamsOf<'/v1/tokens'>;

/** Windows of figures; the first one is the default. */
export const WINDOWS = ['24h', '6h', '1h', '5m'] as const;
export type Window = (typeof WINDOWS)[number];

/** Orders of the table; those of a window are named without it. The first one is the default. */
export const ORDERS = [
  'trending',
  'newest',
  'marketcap_usd',
  'liquidity_usd',
  'volume_usd',
  'organic_volume_usd',
  'price_change',
  'raw_holders',
  'organic_to_total_wallets_ratio',
  'smart_money_score',
  'risk_score',
] as const;
export type Order = (typeof ORDERS)[number];

export const DIRECTIONS = ['desc', 'asc'] as const;

/** Rows of a page; the first one is the default. */
export const PAGE_SIZES = ['100', '250', '500'] as const;

/** A figure with a smallest and a largest value, `min_<name>` and `max_<name>` of the address. */
export interface Range {
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  readonly placeholder: readonly [min: string, max: string];
}

export const RANGES: readonly Range[] = [
  { name: 'marketcap_usd', title: 'Market cap, $', unit: 'amount', placeholder: ['10k', '5m'] },
  { name: 'liquidity_usd', title: 'Liquidity, $', unit: 'amount', placeholder: ['5k', ''] },
  { name: 'volume_usd', title: 'Volume in the window, $', unit: 'amount', placeholder: ['1k', ''] },
  {
    name: 'organic_volume_usd',
    title: 'Organic volume, $',
    unit: 'amount',
    placeholder: ['1k', ''],
  },
  { name: 'age_seconds', title: 'Age', unit: 'age', placeholder: ['10m', '1d'] },
  { name: 'raw_holders', title: 'Holders', unit: 'count', placeholder: ['50', ''] },
  {
    name: 'organic_to_total_wallets_ratio',
    title: 'Organic wallets, %',
    unit: 'percent',
    placeholder: ['40', '100'],
  },
  { name: 'risk_score', title: 'Risk score', unit: 'score', placeholder: ['0', '49'] },
];

/** The name of a figure of the API in a window. */
export function inWindow(name: string, window: Window): string {
  if (name === 'volume_usd' || name === 'organic_volume_usd') {
    return name.replace(/_usd$/, `_${window}_usd`);
  }
  return name === 'price_change' ? `price_change_${window}` : name;
}

/** Names of the parameters of the address that filter. */
export const FILTER_NAMES: readonly string[] = [
  'q',
  'venue',
  'launchpad',
  ...RANGES.flatMap(({ name }) => [`min_${name}`, `max_${name}`]),
];

/** Parameters of the API for the filters of the address; values that cannot be read are left out. */
export function filtersOf(query: URLSearchParams, window: Window): TokenParams {
  const params: Record<string, string> = {};
  for (const name of ['q', 'venue', 'launchpad']) {
    const value = query.get(name)?.trim() ?? '';
    if (value !== '') params[name] = value.slice(0, 64);
  }
  for (const { name, unit } of RANGES) {
    for (const side of ['min', 'max']) {
      const bound = parseBound(unit, query.get(`${side}_${name}`) ?? '');
      if (bound !== null) params[`${side}_${inWindow(name, window)}`] = bound;
    }
  }
  return params as TokenParams;
}

/** The number of a page in the address, from 1. */
export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? '1');
  return Number.isInteger(page) && page >= 1 && page <= 1_000 ? page : 1;
}
