/** How many files this process may have open; null where there is no limit or it is not reported. */
export function openFilesMax(): number | null {
  // With the network's part it would look up names.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}
