import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';

/** Time limit for the request message of a call. */
export const MESSAGE_TIMEOUT_MS = 10_000;

export interface EarlyAdmission {
  /** Whether a service can be called without a key. */
  readonly isKeyless: (path: string) => boolean;
  /** The status that refuses a call, or null to admit it. */
  readonly refusalOf: (
    metadata: Metadata,
    peer: string,
  ) => { readonly code: status; readonly details: string } | null;
}

/**
 * Admits or refuses a call by its metadata, before its message arrives. Handlers run only once the
 * message has arrived, so an unadmitted call that never sends one would otherwise stay open.
 * Admitted calls without a message are ended after the timeout.
 */
export function earlyAdmission({ isKeyless, refusalOf }: EarlyAdmission): ServerInterceptor {
  return (method, call) => {
    let timer: NodeJS.Timeout | null = null;
    const settle = () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    };
    return new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            const refusal = isKeyless(method.path) ? null : refusalOf(metadata, call.getPeer());
            if (refusal !== null) {
              call.sendStatus(refusal);
              return;
            }
            timer = setTimeout(() => {
              call.sendStatus({ code: status.DEADLINE_EXCEEDED, details: NO_MESSAGE });
            }, MESSAGE_TIMEOUT_MS).unref();
            pass(metadata);
          },
          onReceiveMessage(message, pass) {
            settle();
            pass(message);
          },
          onReceiveHalfClose(pass) {
            settle();
            pass();
          },
          onCancel: settle,
        });
      },
      sendStatus(end, next) {
        settle();
        next(end);
      },
    });
  };
}

const NO_MESSAGE = 'The request did not arrive in time.';
