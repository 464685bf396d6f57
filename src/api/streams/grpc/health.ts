import { type handleServerStreamingCall, type handleUnaryCall, status } from '@grpc/grpc-js';
import type { GrpcMessage } from './grpc-stream.ts';

/** Request for the health of one service by its full name, or of the server by ''. */
export interface HealthRequest {
  readonly service: string;
}

/** Reports SERVING for the given services, NOT_FOUND for others. */
export function checkHealth(
  names: ReadonlySet<string>,
): handleUnaryCall<HealthRequest, GrpcMessage> {
  return ({ request }, answer) => {
    if (names.has(request.service)) answer(null, { status: 'SERVING' });
    else answer({ code: status.NOT_FOUND, details: 'There is no such service.' });
  };
}

/** Sends the status once: a running server is serving, and a stopping one ends its streams. */
export function watchHealth(
  names: ReadonlySet<string>,
): handleServerStreamingCall<HealthRequest, GrpcMessage> {
  return (call) => {
    call.write({ status: names.has(call.request.service) ? 'SERVING' : 'SERVICE_UNKNOWN' });
  };
}
