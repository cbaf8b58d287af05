import { english } from './english.js';

/** The sections of the catalogue. A section in a file of its own is loaded with the screen that uses it. */
export const { product, frame, areas, common, load, zones, newZone, zone, records, pending, marks } = english;
export { englishAccess as access } from './english-access.js';
export { englishAlias as alias } from './english-alias.js';
export { englishAnswers as answers } from './english-answers.js';
export { englishBlank as blank } from './english-blank.js';
export {
  englishCheck as check,
  englishLiveCheck as liveCheck,
  englishApplied as applied,
  englishPublication as publication,
} from './english-check.js';
export { englishDnssec as dnssec } from './english-dnssec.js';
export { englishFindings as findings } from './english-findings.js';
export { englishForm as form, englishBulk as bulk } from './english-form.js';
export {
  englishHistory as history,
  englishZoneHeader as zoneHeader,
  englishHealth as health,
  englishRecentChanges as recentChanges,
} from './english-history.js';
export { englishFile as file } from './english-import.js';
export { englishLabels as labels } from './english-labels.js';
export { englishMoments as moment } from './english-moments.js';
export { englishMoves as moves } from './english-moves.js';
export { englishNameServers as nameServers, englishDelegation as delegation } from './english-name-servers.js';
export { englishPlan as plan } from './english-plan.js';
export {
  englishRefusals as refusals,
  englishRefusalTypes as refusalTypes,
  englishFieldNames as fieldNames,
} from './english-refusals.js';
export { englishSavedFilters as savedFilters } from './english-saved-filters.js';
export { englishSecondary as secondary } from './english-secondary.js';
export {
  englishSearch as search,
  englishQuotas as quotas,
  englishAudit as audit,
  englishTenants as tenants,
  englishDeleted as deleted,
  englishCommands as commands,
} from './english-service.js';
export { englishSettings as settings, englishImport as import, englishRecord as record } from './english-settings.js';
export { englishSharing as sharing, englishTransfer as transfer } from './english-sharing.js';
export { englishShortcuts as shortcuts } from './english-shortcuts.js';
export { englishSignIn as signIn } from './english-sign-in.js';
export { englishStates as states } from './english-states.js';
export { englishTemplates as templates } from './english-templates.js';
export { englishTokens as tokens } from './english-tokens.js';
export { englishWebhooks as webhooks } from './english-webhooks.js';
