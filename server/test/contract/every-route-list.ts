/**
 * Every route that the contract names, by its section: method, path, surface (`operators`: their own listener), auth, plan, meter, and
 * what else the caller needs. Written by hand from docs/contract.md, because the policies of the routes are what is tested.
 * `a|b`: the contract leaves the choice.
 */
export const CONTRACT_ROUTES: Readonly<Record<string, string>> = {
  'contract 4.1': `
    GET  /health                         both  public    any  public
    GET  /openapi.json                   both  public    any  public
    GET  /stats                          both  public    any  public
    GET  /analytics                      both  public    any  public
    GET  /cve/stats/epss                 both  public    any  public
    GET  /cve/stats/timeseries           both  public    any  public
    GET  /blocklist/stats                both  public    any  public
    GET  /blocklist/download/:filename   both  lenient   any  downloads
    POST /contact                        both  public    any  forms
    POST /feedback                       both  public    any  forms
    POST /newsletter                     both  public    any  forms
    POST /license                        both  public    any  forms
    GET  /email-sequences/unsubscribe    both  public    any  public
    POST /email-sequences/unsubscribe    both  public    any  public
    POST /auth/resend-verification       both  public    any  public`,
  'contract 4.2': `
    GET  /check                          both  keyOrSession  any  checks
    GET  /check/reputation               both  keyOrSession  any  checks
    GET  /check/location                 both  keyOrSession  any  checks
    GET  /check/whois                    both  keyOrSession  any  checks
    GET  /check/certificates             both  keyOrSession  any  checks
    GET  /check/vulnerabilities          both  keyOrSession  any  checks
    GET  /check/intelowl                 both  keyOrSession  any  checks  head
    GET  /check/ransomware               both  keyOrSession  any  checks
    GET  /check/tenant                   both  keyOrSession  any  checks
    GET  /check/email                    api   keyOrSession  any  checks
    GET  /check/stream                   both  optional      any  checks
    GET  /stream                         both  key           PRO  burst
    POST /analyze                        web   keyOrSession  any  checks
    GET  /check/email                    web   keyOrSession  any  checks
    GET  /check/phone                    web   keyOrSession  any  checks
    GET  /check/crypto                   web   keyOrSession  any  checks
    POST /keys/instant                   web   public        any  public`,
  'contract 4.3': `
    GET  /bulk/check                     both  keyOrSession  any  burst
    POST /bulk/check                     both  keyOrSession  any  checks`,
  'contract 4.4': `
    GET  /org/blocklists/:entityType     both  keyOrSession  PRO  burst  organization
    GET  /org/blocklists/stats           both  keyOrSession  PRO  burst  organization`,
  'contract 4.5': `
    POST /org/indicators                 both  keyOrSession  PRO  burst  organization
    GET  /org/indicators                 both  keyOrSession  PRO  burst  organization
    DELETE /org/indicators/:id           both  keyOrSession  PRO  burst  organization`,
  'contract 4.6': `
    POST /submit                         both  keyOrSession  any  burst
    POST /sources                        both  keyOrSession  any  burst  licence
    GET  /sources/statistics             both  keyOrSession  any  burst
    POST /search                         api   keyOrSession  any  checks
    POST /search                         web   keyOrSession  any  checks`,
  'contract 4.7': ['taxii', 'taxii2']
    .map(
      (root) => `
    GET  /${root}                                             both  keyOrSession  any  burst
    GET  /${root}/api-root                                    both  keyOrSession  any  burst
    GET  /${root}/api-root/collections                        both  keyOrSession  PRO  burst
    GET  /${root}/api-root/collections/:collectionId          both  keyOrSession  PRO  burst
    GET  /${root}/api-root/collections/:collectionId/objects  both  keyOrSession  PRO  burst
    GET  /${root}/api-root/collections/:collectionId/manifest both  keyOrSession  PRO  burst
    GET  /${root}/api-root/collections/:collectionId/objects/:objectId           both  keyOrSession  PRO  burst
    GET  /${root}/api-root/collections/:collectionId/objects/:objectId/versions  both  keyOrSession  PRO  burst`,
    )
    .join(''),
  'contract 4.8': `
    GET  /ransomware/feed                both  keyOrSession  any  burst
    GET  /ransomware/stats               both  keyOrSession  any  burst
    GET  /ransomware/sector-risk         both  keyOrSession  any  burst
    GET  /ransomware/sector-risk/history both  keyOrSession  any  burst
    GET  /ransomware/sector-victims      both  keyOrSession  any  burst
    GET  /ransomware/press               both  keyOrSession  any  burst
    GET  /ransomware/group-profile       both  keyOrSession  any  burst
    GET  /ransomware/groups              both  keyOrSession  any  burst
    GET  /cve/recent                     both  keyOrSession  any  checks
    GET  /threat-intel/asn               both  keyOrSession  any  checks
    GET  /threat-intel/reverse-ip        both  keyOrSession  any  burst
    GET  /threat-intel/history           both  keyOrSession  any  checks`,
  'contract 4.9': `
    POST /mail/scan                      both  keyOrSession  any  scans
    GET  /gate/quota                     both  keyOrSession  any  none`,
  'contract 4.10': `
    POST /check/password                 web   keyOrSession  any  checks
    GET  /pwned-passwords/range/:prefix  web   optional      any  checks`,
  'contract 4.11': `
    GET  /action-center/overview         both  keyOrSession  any  burst
    GET  /alerts/trends                  both  keyOrSession  any  burst
    GET  /cases                          both  keyOrSession  any  burst
    POST /cases                          both  keyOrSession  any  burst
    PATCH /cases/:id                     both  keyOrSession  any  burst
    POST /cases/:id/evidence             both  keyOrSession  any  burst
    GET  /risk-brief/latest              both  keyOrSession  any  burst
    GET  /trust/assessment/schema        both  keyOrSession  any  burst
    GET  /platform/data-freshness        both  keyOrSession  any  burst
    GET  /platform/data-ops/pipeline     both  keyOrSession  any  burst
    GET  /user/webhooks/events           both  keyOrSession  any  burst
    GET  /reports                        both  keyOrSession  any  burst
    POST /reports                        both  keyOrSession  any  burst
    GET  /reports/:id                    both  keyOrSession  any  burst
    DELETE /reports/:id                  both  keyOrSession  any  burst
    GET  /reports/export                 both  keyOrSession  any  burst
    POST /reports/save                   both  keyOrSession  any  burst
    POST /reports/entity-export          both  keyOrSession  any  burst
    GET  /monitoring                     both  keyOrSession  any  burst
    POST /monitoring                     both  keyOrSession  any  checks
    GET  /monitoring/metrics             both  keyOrSession  any  burst
    POST /monitoring/toggle-notify       both  keyOrSession  any  burst
    POST /monitoring/unwatch             both  keyOrSession  any  burst
    GET  /alerts                         both  keyOrSession  any  burst
    GET  /alerts/metrics                 both  keyOrSession  any  burst
    GET  /alerts/funnel                  both  keyOrSession  any  burst
    PATCH /alerts/:id                    both  keyOrSession  any  burst
    GET  /network/intel                  both  keyOrSession  any  burst
    GET  /user/analytics                 both  keyOrSession  any  burst
    GET  /user/webhooks                  both  keyOrSession  any|BASIC  burst
    POST /user/webhooks                  both  keyOrSession  BASIC  burst
    GET  /user/webhooks/:id              both  keyOrSession  any|BASIC  burst
    PATCH /user/webhooks/:id             both  keyOrSession  any|BASIC  burst
    DELETE /user/webhooks/:id            both  keyOrSession  any|BASIC  burst
    GET  /gpt/check                      both  keyOrSession  any  checks
    GET  /gpt/search                     both  keyOrSession  any  checks
    GET  /gpt/email                      both  keyOrSession  any  checks
    GET  /gpt/ransomware                 both  keyOrSession  any  checks
    POST /ai-analysis                    both  keyOrSession  any  checks
    GET  /mmdb/info                      both  keyOrSession  any  burst
    GET  /mmdb/download                  both  keyOrSession  PRO  burst|downloads
    GET  /metrics/subscription           both  keyOrSession  any  burst
    GET  /metrics/threats                both  keyOrSession  any  burst
    GET  /cve/stats/top-products         both  keyOrSession  any  checks
    GET  /cve/vendors                    both  keyOrSession  any  checks
    GET  /cve/products                   both  keyOrSession  any  checks`,
  'contract 4.12': `
    GET  /organization/sso               web   session   ENTERPRISE  none  organization
    POST /auth/sso/lookup                web   public    any         public
    GET  /auth/sso/start                 web   signIn    any         public
    GET  /auth/sso/callback              web   signIn    any         public`,
  'decisions 3.2': `
    GET  /auth/claim                     web   public    any  public
    POST /auth/claim                     web   signIn    any  public
    POST /auth/register                  web   public    any  public
    POST /auth/login                     web   signIn    any  public
    POST /auth/logout                    web   signIn    any  public
    POST /auth/verify                    web   signIn    any  public
    POST /auth/forgot                    web   public    any  public
    POST /auth/reset                     web   public    any  public
    GET  /user/keys                      both  session   any  none
    POST /user/keys                      both  session   any  none
    DELETE /user/keys/:id                both  session   any  none
    POST /user/keys/:id/rotate           both  session   any  none
    PUT  /organization/sso               web   session   ENTERPRISE  none  organization
    DELETE /organization/sso             web   session   ENTERPRISE  none  organization`,
  'decisions 3.8': `
    GET  /cve                            both  keyOrSession  any  checks
    GET  /cve/:id                        both  keyOrSession  any  checks`,
  'decisions 3.10': `
    GET  /cve-watch/perimeters           both  keyOrSession  any  burst
    POST /cve-watch/perimeters           both  keyOrSession  any  burst
    GET  /cve-watch/perimeters/:id       both  keyOrSession  any  burst
    PATCH /cve-watch/perimeters/:id      both  keyOrSession  any  burst
    DELETE /cve-watch/perimeters/:id     both  keyOrSession  any  burst
    GET  /cve-watch/perimeters/:id/components          both  keyOrSession  any  burst
    POST /cve-watch/perimeters/:id/components          both  keyOrSession  any  burst
    DELETE /cve-watch/perimeters/:id/components/:cid   both  keyOrSession  any  burst
    POST /cve-watch/perimeters/:id/import              both  keyOrSession  any  burst
    POST /cve-watch/perimeters/:id/scan                both  keyOrSession  any  burst
    GET  /cve-watch/findings             both  keyOrSession  any  burst
    PATCH /cve-watch/findings/:id        both  keyOrSession  any  burst
    GET  /cve-watch/cpe-search           both  keyOrSession  any  burst
    GET  /cve-watch/vendor-search        both  keyOrSession  any  burst
    GET  /cve-watch/global-threats       both  keyOrSession  any  burst
    GET  /cve-watch/recent-publications  both  keyOrSession  any  burst`,
  'decisions 3.12': `
    POST /user/webhooks/:id/test         both  keyOrSession  any|BASIC  burst
    POST /user/webhooks/:id/rotate-secret                    both  keyOrSession  any|BASIC  burst
    GET  /user/webhooks/:id/deliveries                       both  keyOrSession  any|BASIC  burst
    POST /user/webhooks/:id/deliveries/:deliveryId/redeliver both  keyOrSession  any|BASIC  burst`,
  'decisions 3.17': `
    GET  /subscription                   both  keyOrSession  any  burst
    GET  /billing/plans                  both  public        any  public
    POST /billing/checkout               both  session       any  burst
    POST /billing/portal                 both  session       any  burst
    POST /billing/webhook                both  public        any  none
    GET  /onboarding                     both  keyOrSession  any  burst
    PATCH /onboarding                    both  keyOrSession  any  burst
    GET  /admin/overview                 operators  operator  any  none
    GET  /admin/sources                  operators  operator  any  none
    POST /admin/sources                  operators  operator  any  none
    GET  /admin/sources/:id              operators  operator  any  none
    PATCH /admin/sources/:id             operators  operator  any  none
    DELETE /admin/sources/:id            operators  operator  any  none
    POST /admin/sources/:id/run          operators  operator  any  none
    POST /admin/sources/:id/release      operators  operator  any  none
    POST /admin/sources/:id/discard      operators  operator  any  none
    POST /admin/sources/:id/rollback     operators  operator  any  none
    GET  /admin/submissions              operators  operator  any  none
    PATCH /admin/submissions/:id         operators  operator  any  none
    GET  /admin/users                    operators  operator  any  none
    GET  /admin/organizations            operators  operator  any  none
    PATCH /admin/accounts/:id/subscription  operators  operator  any  none
    GET  /admin/licences                 operators  operator  any  none
    POST /admin/licences                 operators  operator  any  none
    DELETE /admin/licences/:id           operators  operator  any  none
    GET  /admin/jobs                     operators  operator  any  none
    POST /admin/jobs/:id/retry           operators  operator  any  none
    POST /admin/keys/:id/revoke          operators  operator  any  none
    GET  /admin/webhooks                 operators  operator  any  none
    POST /admin/webhooks/:id/enable      operators  operator  any  none
    GET  /admin/audit                    operators  operator  any  none
    GET  /emails/outbox                  operators  operator  any  none
    POST /emails/:id/retry               operators  operator  any  none
    GET  /emails/sequences               operators  operator  any  none
    PATCH /emails/sequences              operators  operator  any  none
    GET  /cve/dashboard                  operators  operator  any  none`,
};

/** Routes that the contract does not name but that are promised; the description marks each as an extension. */
export const EXTENSIONS = `
    POST /gate/scan                      both  keyOrSession  any  scans
    GET  /gate/url                       both  keyOrSession  any  scans
    GET  /user/pulls                     both  keyOrSession  any  burst
    GET  /threat-intel/network           both  keyOrSession  any  checks
    GET  /threat-intel/source/:id        both  keyOrSession  any  checks
    GET  /threat-intel/family/:name      both  keyOrSession  any  checks
    GET  /platform/status                both  public        any  public
    GET  /openapi-actions.json           both  public    any  public
    GET  /openapi.json                   operators  operator  any  none
    GET  /cases/:id                      both  keyOrSession  any  burst
    GET  /cases/:id/verify               both  keyOrSession  any  burst
    GET  /cases/:id/export               both  keyOrSession  any  burst
    POST /user/webhooks/:id/replay       both  keyOrSession  any|BASIC  burst
    POST /user/webhooks/:id/verify       both  keyOrSession  any|BASIC  burst
    GET  /organizations                  web   session  any  none
    POST /organizations                  web   session  any  none
    GET  /organization                   web   session  any  none  organization
    PATCH /organization                  web   session  any  none  organization
    DELETE /organization                 web   session  any  none  organization
    GET  /organization/members           web   session  any  none  organization
    PATCH /organization/members/:userId  web   session  any  none  organization
    DELETE /organization/members/:userId web   session  any  none  organization
    GET  /organization/invitations       web   session  any  none  organization
    POST /organization/invitations       web   session  any  none  organization
    DELETE /organization/invitations/:id web   session  any  none  organization
    POST /invitations/accept             web   session  any  none
    POST /organization/transfer          web   session  any  none  organization
    GET  /organization/audit             web   session  any  none  organization
    POST /auth/switch                    web   session  any  none
    GET  /auth/sessions                  web   session  any  none
    DELETE /auth/sessions/:id            web   session  any  none
    GET  /auth/passkeys                  web   session  any  none
    POST /auth/passkeys/options          web   session  any  none
    POST /auth/passkeys                  web   session  any  none
    DELETE /auth/passkeys/:id            web   session  any  none
    POST /auth/totp                      web   session  any  none
    POST /auth/totp/confirm              web   session  any  none
    DELETE /auth/totp                    web   session  any  none
    POST /auth/recovery-codes            web   session  any  none`;

/**
 * Routes of the lists above that are not built yet, as `METHOD /path`. A route that is built leaves this list, or the test
 * fails; a contract that is whole has an empty one.
 */
export const NOT_YET: readonly string[] = [];
