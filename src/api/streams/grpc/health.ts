import { type handleServerStreamingCall, type handleUnaryCall, status } from '@grpc/grpc-js';
import type { GrpcMessage } from './grpc-stream.ts';

/** A question after one service by its full name; by '' after the server. */
export interface HealthRequest {
  readonly service: string;
}

/** Answers for the services named here, NOT_FOUND for others. */
export function checkHealth(
  names: ReadonlySet<string>,
): handleUnaryCall<HealthRequest, GrpcMessage> {
  return ({ request }, answer) => {
    if (names.has(request.service)) answer(null, { status: 'SERVING' });
    else answer({ code: status.NOT_FOUND, details: 'There is no such service.' });
  };
}

/** A server that answers serves; one that stops ends its streams. */
export function watchHealth(
  names: ReadonlySet<string>,
): handleServerStreamingCall<HealthRequest, GrpcMessage> {
  return (call) => {
    call.write({ status: names.has(call.request.service) ? 'SERVING' : 'SERVICE_UNKNOWN' });
  };
}
