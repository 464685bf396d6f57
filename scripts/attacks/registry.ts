import type { Attack } from './attack.ts';
import { grpcPings } from './grpc-pings.ts';
import { idleSockets } from './idle-sockets.ts';
import { noAttack } from './no-attack.ts';
import { silentWebhooks } from './silent-webhooks.ts';
import { slowHeaders } from './slow-headers.ts';
import { slowReaders } from './slow-readers.ts';
import { triggerFlood } from './trigger-flood.ts';
import { worstCaseReads } from './worst-case-reads.ts';
import { wrongKeys } from './wrong-keys.ts';

export const ATTACKS: readonly Attack[] = [
  silentWebhooks,
  idleSockets,
  grpcPings,
  slowHeaders,
  wrongKeys,
  worstCaseReads,
  triggerFlood,
  slowReaders,
  noAttack,
];
