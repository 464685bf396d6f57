/**
 * The maximum number of open files of this process; null if there is no limit or it is not
 * reported.
 */
export function openFilesMax(): number | null {
  // The network section of the report would perform DNS lookups.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}
