import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Config } from '../../config/config-settings.ts';

/** What surrounds the service on this machine, beside its folder: ports, certificate, proxies. */
export interface SetupFacts {
  readonly host: string;
  readonly port: PortFacts;
  /** Null without gRPC. */
  readonly grpcPort: PortFacts | null;
  /** Null without a certificate. */
  readonly certificate: CertificateFacts | null;
  /** Names of variables that name a proxy. Their values may contain a password. */
  readonly proxyVariables: readonly string[];
}

export interface PortFacts {
  /** 0 selects a free one. */
  readonly number: number;
  /** Why it cannot be listened on, as a system code; null if it can. */
  readonly fault: string | null;
}

export type CertificateFacts =
  | { readonly file: string; readonly validFromMs: number; readonly validToMs: number }
  | { readonly file: string; readonly fault: string };

type Environment = Readonly<Record<string, string | undefined>>;
type Address = Pick<Config, 'host' | 'port' | 'grpcPort' | 'grpcTlsCertFile'>;

/** Reads without changing anything; the ports are used for a moment. */
export async function readSetupFacts(
  { host, port, grpcPort, grpcTlsCertFile }: Address,
  environment: Environment,
): Promise<SetupFacts> {
  return {
    host,
    port: await readPort(host, port),
    grpcPort: grpcPort === null ? null : await readPort(host, grpcPort),
    certificate: grpcTlsCertFile === null ? null : readCertificate(grpcTlsCertFile),
    proxyVariables: proxyVariablesIn(environment),
  };
}

/** The validity of the first certificate in a PEM file, which is the server's own. */
export function readCertificate(file: string): CertificateFacts {
  try {
    const { validFromDate, validToDate } = new X509Certificate(readFileSync(file));
    return { file, validFromMs: validFromDate.getTime(), validToMs: validToDate.getTime() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { file, fault: error.message };
  }
}

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];

export function proxyVariablesIn(environment: Environment): readonly string[] {
  return PROXY_VARIABLES.flatMap((name) => [name, name.toLowerCase()]).filter(
    (name) => (environment[name] ?? '') !== '',
  );
}

async function readPort(host: string, number: number): Promise<PortFacts> {
  return { number, fault: await listeningFault(host, number) };
}

function listeningFault(host: string, port: number): Promise<string | null> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === undefined) reject(error);
      else resolve(error.code);
    });
    server.listen({ host, port }, () => server.close(() => resolve(null)));
  });
}
