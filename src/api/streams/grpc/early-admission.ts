import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';

/** A call has to send its message, if it has one, within this. */
export const MESSAGE_TIMEOUT_MS = 10_000;

export interface EarlyAdmission {
  /** Services whose calls need no key. */
  readonly isKeyless: (path: string) => boolean;
  /** The status that keeps a call out, null for one that may come in. */
  readonly refusalOf: (
    metadata: Metadata,
    peer: string,
  ) => { readonly code: status; readonly details: string } | null;
}

/**
 * Judges a call by its headers, before anything of it is kept: a handler runs only once the message
 * is there, and a call that never sends one would be held open by nobody. Calls that were let in and
 * stay silent are ended.
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
