import type { MonitoredPart } from '../../model/monitoring.ts';

/** What is watched of backups that are stored at an interval. The metrics are in backup-schedule.ts. */
export const BACKUP_MONITORING: MonitoredPart = {
  id: 'backups',
  title: 'Stored backups',
  panels: [
    {
      title: 'Age of the newest whole backup',
      description: 'Below the interval, with the time that storing one takes.',
      unit: 's',
      queries: [
        {
          expression: 'mintscope_backup_age_seconds{instance=~"$instance"}',
          legend: '{{instance}}',
        },
        {
          expression: 'mintscope_backup_interval_seconds{instance=~"$instance"}',
          legend: 'interval {{instance}}',
        },
      ],
    },
    {
      title: 'Sent to the place of backups',
      description: 'Only files that no earlier backup has.',
      unit: 'bytes',
      queries: [
        {
          expression: 'increase(mintscope_backup_sent_bytes_total{instance=~"$instance"}[1h])',
          legend: 'an hour {{instance}}',
        },
        {
          expression: 'mintscope_backup_unsent_bytes{instance=~"$instance"}',
          legend: 'still to send {{instance}}',
        },
      ],
    },
  ],
  alerts: [
    {
      name: 'MintscopeBackupOld',
      expression: 'mintscope_backup_age_seconds > 3 * mintscope_backup_interval_seconds',
      holds: '5m',
      severity: 'critical',
      summary: 'The newest whole backup is three intervals old.',
      actions: [
        'The log has `backups fail` with the reason. `mintscope backup list` shows what the place has, `mintscope backup --to-store` stores one at once.',
        'If storing takes longer than `--backup-every`, name a longer interval, or a place that is nearer.',
      ],
      tests: {
        atMinute: 6,
        firing: {
          'mintscope_backup_age_seconds{instance="a"}': '10801x6',
          'mintscope_backup_interval_seconds{instance="a"}': '3600x6',
        },
        labels: { instance: 'a' },
        quiet: {
          'mintscope_backup_age_seconds{instance="a"}': '10800x6',
          'mintscope_backup_interval_seconds{instance="a"}': '3600x6',
        },
      },
    },
    {
      name: 'MintscopeBackupsFailing',
      expression: 'increase(mintscope_backup_failures_total[1h]) > 3',
      holds: '0m',
      severity: 'warning',
      summary: 'Storing backups, or pruning the place of them, fails again and again.',
      actions: [
        'The log has `backups fail` with the reason: mostly the place is full, cannot be reached, or refuses the access key. What was sent is used by the next attempt.',
        'Where pruning names a description that cannot be read, nothing is removed until it is whole again or removed by hand.',
      ],
      tests: {
        atMinute: 60,
        firing: { 'mintscope_backup_failures_total{instance="a"}': '0x20 5x40' },
        labels: { instance: 'a' },
        quiet: { 'mintscope_backup_failures_total{instance="a"}': '5x60' },
      },
    },
  ],
};
