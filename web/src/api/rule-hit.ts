import type { BodyOf } from './client.ts';

/** A hit of a rule, as lists and streams have it. */
export type Hit = BodyOf<'/v1/rules/{rule_id}/hits'>['hits'][number];
