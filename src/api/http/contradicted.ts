import { ApiError } from '../../model/errors.ts';
import type { ApiDeps } from '../deps.ts';
import type { Access } from './admission.ts';

const CONTRADICTED =
  'The state of this replica differs from that of most others, so that it answers nothing: see GET /readyz.';

/**
 * Throws ApiError while most replicas have another state. Probes, operators and `/v1/coverage` get
 * answers nevertheless.
 */
export function assertNotContradicted({ chain }: ApiDeps, access: Access, url: string): void {
  if (access === 'public' || access === 'operator' || url === '/v1/coverage') return;
  if (chain.standstill()?.isContradicted === true) throw new ApiError(503, CONTRADICTED);
}
