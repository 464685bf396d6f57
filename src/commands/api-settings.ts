import type { ApiSettings } from '../bridge/messages.ts';
import { isReplicaRole } from '../config/config-cluster.ts';
import type { Config } from '../config/config-settings.ts';

/** What the thread that answers is told of the settings of the service. */
export function apiSettingsOf(config: Config): Omit<ApiSettings, 'simulation' | 'openKey'> {
  const { host, port, dataDir, logLevel, rateLimitPerMinute, rateLimitBurst, openOps } = config;
  const {
    corsOrigins,
    grpcPort,
    grpcTlsCertFile: tlsCertFile,
    grpcTlsKeyFile: tlsKeyFile,
  } = config;
  const grpc = grpcPort === null ? {} : { grpc: { port: grpcPort, tlsCertFile, tlsKeyFile } };
  const limits = { rateLimitPerMinute, rateLimitBurst };
  const traces = config.otlpEndpoint === null ? {} : { otlpEndpoint: config.otlpEndpoint };
  const isReplica = isReplicaRole(config.role);
  const own = { host, port, dataDir, logLevel, isReplica };
  return { ...own, ...limits, openOps, corsOrigins, ...grpc, ...traces };
}
