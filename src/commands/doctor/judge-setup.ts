import { type Finding, fail, ok, type Verdict, warn } from './finding.ts';
import type { CertificateFacts, PortFacts, SetupFacts } from './setup-facts.ts';

const DAY_MS = 24 * 60 * 60_000;
const CERTIFICATE_WARN_DAYS = 14;

/**
 * Judges ports, certificate and proxies. `isServing`: a running service uses the data folder, or
 * that of a simulated market, so ports in use are likely to be its own. `nowMs` is the clock of this
 * machine, since 1970.
 */
export function judgeSetup(facts: SetupFacts, isServing: boolean, nowMs: number): Finding[] {
  const verdicts = [
    judgePort(facts.host, facts.port, HTTP, isServing),
    ...judgeGrpcPort(facts, isServing),
    ...(facts.certificate === null ? [] : [judgeCertificate(facts.certificate, nowMs)]),
    ...(facts.proxyVariables.length === 0 ? [] : [judgeProxies(facts.proxyVariables)]),
  ];
  return verdicts.map((verdict) => ({ ...verdict, subject: 'this machine' }));
}

/** What a port is for: the name of the check, and the option that selects another one. */
interface PortUse {
  readonly check: string;
  readonly option: string;
}

const HTTP: PortUse = { check: 'port', option: '--port' };
const GRPC: PortUse = { check: 'grpc port', option: '--grpc-port' };

function judgeGrpcPort({ host, port, grpcPort }: SetupFacts, isServing: boolean): Verdict[] {
  if (grpcPort === null) return [];
  if (grpcPort.number !== 0 && grpcPort.number === port.number) {
    const message = `port ${port.number} is configured for HTTP and for gRPC`;
    return [fail(GRPC.check, message, 'Name another port with --grpc-port.')];
  }
  return [judgePort(host, grpcPort, GRPC, isServing)];
}

function judgePort(
  host: string,
  { number, fault }: PortFacts,
  { check, option }: PortUse,
  isServing: boolean,
): Verdict {
  const address = `port ${number} of ${host}`;
  switch (fault) {
    case null:
      return ok(check, number === 0 ? 'a free one is selected at start' : `${address} is free`);
    case 'EADDRINUSE': {
      if (isServing)
        return ok(
          check,
          `${address} is in use, most likely by the service that uses the data folder`,
        );
      const advice = `End the program that uses it, or name another port with ${option}.`;
      return fail(check, `${address} is in use by another program`, advice);
    }
    case 'EACCES':
      return fail(check, `${address} needs privileges`, `Name one above 1023 with ${option}.`);
    default: {
      const advice = 'Name an address of this machine with --host; 0.0.0.0 means all of them.';
      return fail(check, `${address} cannot be listened on (${fault})`, advice);
    }
  }
}

export function judgeCertificate(facts: CertificateFacts, nowMs: number): Verdict {
  const { file } = facts;
  const renew = 'Renew it and start the service again, which reads it at start.';
  if ('fault' in facts) {
    const advice = 'Name a PEM file that this user can read with --grpc-tls-cert-file.';
    return fail('certificate', `${file} cannot be used (${facts.fault})`, advice);
  }
  const { validFromMs, validToMs } = facts;
  if (nowMs > validToMs) {
    return fail('certificate', `${file} expired on ${dateOf(validToMs)}`, renew);
  }
  if (nowMs < validFromMs) {
    const message = `${file} is not valid before ${dateOf(validFromMs)}`;
    return fail('certificate', message, 'Check the clock of this machine.');
  }
  const message = `${file} is valid until ${dateOf(validToMs)}`;
  return validToMs - nowMs > CERTIFICATE_WARN_DAYS * DAY_MS
    ? ok('certificate', message)
    : warn('certificate', message, renew);
}

export function judgeProxies(variables: readonly string[]): Verdict {
  return warn(
    'proxy',
    `${variables.join(', ')} is set, but nodes, metadata and webhooks are reached directly`,
    'Allow direct connections from this machine; only a Yellowstone server is reached by proxy.',
  );
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
