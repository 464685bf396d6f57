import { Metadata, status } from '@grpc/grpc-js';
import { ApiError } from '../../../model/errors.ts';

/** gRPC status by HTTP status. */
const STATUS_OF: Readonly<Record<number, status>> = {
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  422: status.INVALID_ARGUMENT,
  429: status.RESOURCE_EXHAUSTED,
  503: status.UNAVAILABLE,
};

/** A call that can be ended with an error. */
interface RefusableCall {
  emit(
    event: 'error',
    end: { readonly code: status; readonly details: string; readonly metadata: Metadata },
  ): boolean;
}

/** Ends a call with a status, details and metadata. */
export function refuse(
  call: RefusableCall,
  code: status,
  details: string,
  metadata = new Metadata(),
): void {
  call.emit('error', { code, details, metadata });
}

/** Ends a call with the status of an ApiError. Other errors are reported as internal. */
export function fail(call: RefusableCall, error: unknown): void {
  const known = error instanceof ApiError ? STATUS_OF[error.status] : undefined;
  const details =
    known !== undefined && error instanceof ApiError ? error.message : 'Internal server error.';
  refuse(call, known ?? status.INTERNAL, details);
}
