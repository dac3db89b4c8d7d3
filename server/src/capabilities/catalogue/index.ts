export { CATALOGUE, DEFAULT_THREAT_SOURCES, noticeOf, OFFLINE_FILES, settingsOf } from './catalogue.ts';
export {
  type CatalogueRow,
  DEFAULT_REJECT_SHARE_MAX,
  type OfflineFile,
  RELIABILITY,
} from './catalogue-row.ts';
export { HISTORY_FILES, type HistoryFile } from './offline/history-files.ts';
export { type Need, suggestSources } from './suggest-sources.ts';
