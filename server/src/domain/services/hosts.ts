import type { ServiceData } from './named-service.ts';

/** Hosts of software updates, to which only their operator writes; so package registries are left out. */
const UPDATES: readonly ServiceData[] = [
  {
    name: 'Windows Update',
    operator: 'Microsoft',
    kind: 'update',
    source: 'https://learn.microsoft.com/windows/deployment/update/windows-update-security',
    values: `.windowsupdate.com .update.microsoft.com windowsupdate.microsoft.com .delivery.mp.microsoft.com
      definitionupdates.microsoft.com officecdn.microsoft.com`,
  },
  {
    name: 'Apple software update',
    operator: 'Apple',
    kind: 'update',
    source: 'https://support.apple.com/101555',
    values: `swcdn.apple.com swscan.apple.com swdist.apple.com swdownload.apple.com mesu.apple.com gdmf.apple.com
      updates.cdn-apple.com gs.apple.com albert.apple.com`,
  },
  {
    name: 'Google software update',
    operator: 'Google',
    kind: 'update',
    source: 'https://support.google.com/chrome/a/answer/6334001',
    values: 'update.googleapis.com clients2.google.com tools.google.com dl.google.com',
  },
  {
    name: 'Google Safe Browsing',
    operator: 'Google',
    kind: 'update',
    source: 'https://developers.google.com/safe-browsing',
    values: 'safebrowsing.googleapis.com',
  },
  {
    name: 'Firefox update',
    operator: 'Mozilla',
    kind: 'update',
    source: 'https://support.mozilla.org/kb/firefox-network-traffic',
    values: 'aus5.mozilla.org download.mozilla.org versioncheck.addons.mozilla.org',
  },
  {
    name: 'ClamAV signatures',
    operator: 'Cisco',
    kind: 'update',
    source: 'https://docs.clamav.net/manual/Usage/SignatureManagement.html',
    values: 'database.clamav.net current.cvd.clamav.net',
  },
  {
    name: 'Ubuntu archive',
    operator: 'Canonical',
    kind: 'update',
    source: 'https://documentation.ubuntu.com/server/how-to/software/package-management/',
    values: 'archive.ubuntu.com security.ubuntu.com',
  },
  {
    name: 'Debian archive',
    operator: 'Debian',
    kind: 'update',
    source: 'https://www.debian.org/mirror/list',
    values: 'deb.debian.org security.debian.org ftp.debian.org',
  },
];

const SIGN_IN: readonly ServiceData[] = [
  {
    name: 'Microsoft sign-in',
    operator: 'Microsoft',
    kind: 'sign-in',
    source: 'https://learn.microsoft.com/microsoft-365/enterprise/urls-and-ip-address-ranges',
    values: 'login.microsoftonline.com login.microsoft.com login.live.com login.windows.net account.live.com',
  },
  {
    name: 'Google sign-in',
    operator: 'Google',
    kind: 'sign-in',
    source: 'https://developers.google.com/identity/protocols/oauth2',
    values: 'accounts.google.com oauth2.googleapis.com',
  },
  {
    name: 'Apple Account sign-in',
    operator: 'Apple',
    kind: 'sign-in',
    source: 'https://support.apple.com/101555',
    values: 'appleid.apple.com idmsa.apple.com account.apple.com',
  },
];

/** Hosts that take and hand out mail of one provider; addresses that send customers' mail are not among them. */
const MAIL: readonly ServiceData[] = [
  {
    name: 'Gmail',
    operator: 'Google',
    kind: 'mail',
    source: 'https://support.google.com/a/answer/9003945',
    values: `smtp.gmail.com imap.gmail.com pop.gmail.com smtp-relay.gmail.com smtp.google.com .gmail-smtp-in.l.google.com
      .aspmx.l.google.com`,
  },
  {
    name: 'Outlook mail',
    operator: 'Microsoft',
    kind: 'mail',
    source:
      'https://support.microsoft.com/office/pop-imap-and-smtp-settings-for-outlook-com-d088b986-291d-42b8-9564-9c414e2aa040',
    values: `smtp-mail.outlook.com imap-mail.outlook.com pop-mail.outlook.com outlook.office365.com smtp.office365.com
      outlook.office.com`,
  },
  {
    name: 'Yahoo Mail',
    operator: 'Yahoo',
    kind: 'mail',
    source: 'https://help.yahoo.com/kb/SLN4075.html',
    values: 'mail.yahoo.com smtp.mail.yahoo.com imap.mail.yahoo.com pop.mail.yahoo.com',
  },
  {
    name: 'iCloud Mail',
    operator: 'Apple',
    kind: 'mail',
    source: 'https://support.apple.com/102525',
    values: 'smtp.mail.me.com imap.mail.me.com',
  },
  {
    name: 'AOL Mail',
    operator: 'Yahoo',
    kind: 'mail',
    source:
      'https://help.aol.com/articles/how-do-i-use-other-email-applications-to-send-and-receive-my-aol-mail',
    values: 'smtp.aol.com imap.aol.com pop.aol.com',
  },
  {
    name: 'GMX Mail',
    operator: 'GMX',
    kind: 'mail',
    source: 'https://support.gmx.com/pop-imap/imap/index.html',
    values: 'mail.gmx.com imap.gmx.com pop.gmx.com mail.gmx.net imap.gmx.net pop.gmx.net',
  },
  {
    name: 'Yandex Mail',
    operator: 'Yandex',
    kind: 'mail',
    source: 'https://yandex.com/support/yandex-360/customers/mail/en/mail-clients/others',
    values: 'smtp.yandex.com imap.yandex.com pop.yandex.com smtp.yandex.ru imap.yandex.ru pop.yandex.ru',
  },
  {
    name: 'Mail.ru',
    operator: 'VK',
    kind: 'mail',
    source: 'https://help.mail.ru/mail/mailer/popsmtp/',
    values: 'smtp.mail.ru imap.mail.ru pop.mail.ru',
  },
  {
    name: 'Zoho Mail',
    operator: 'Zoho',
    kind: 'mail',
    source: 'https://www.zoho.com/mail/help/zoho-smtp.html',
    values: 'smtp.zoho.com imap.zoho.com pop.zoho.com smtp.zoho.eu imap.zoho.eu',
  },
  {
    name: 'Fastmail',
    operator: 'Fastmail',
    kind: 'mail',
    source: 'https://www.fastmail.help/hc/en-us/articles/1500000278342',
    values: 'smtp.fastmail.com imap.fastmail.com pop.fastmail.com',
  },
  {
    name: 'QQ Mail',
    operator: 'Tencent',
    kind: 'mail',
    source: 'https://service.mail.qq.com/detail/0/428',
    values: 'smtp.qq.com imap.qq.com pop.qq.com',
  },
];

/** Where programs ask whether a certificate is still valid. */
const CERTIFICATE_STATUS: readonly ServiceData[] = (
  [
    [
      'DigiCert',
      'https://knowledge.digicert.com/solution/digicert-certificate-status-ip-addresses',
      'ocsp.digicert.com crl3.digicert.com crl4.digicert.com cacerts.digicert.com',
    ],
    [
      'Sectigo',
      'https://www.sectigo.com/sectigo-public-intermediates-and-roots',
      `ocsp.sectigo.com crl.sectigo.com crt.sectigo.com ocsp.comodoca.com crl.comodoca.com ocsp.usertrust.com
       crl.usertrust.com`,
    ],
    [
      'GlobalSign',
      'https://support.globalsign.com/ca-certificates/root-certificates',
      'ocsp.globalsign.com ocsp2.globalsign.com crl.globalsign.com secure.globalsign.com',
    ],
    [
      'Entrust',
      'https://www.entrust.com/resources/tools/root-certificates',
      'ocsp.entrust.net crl.entrust.net',
    ],
    ['GoDaddy', 'https://certs.godaddy.com/repository', 'ocsp.godaddy.com crl.godaddy.com'],
    [
      'Google Trust Services',
      'https://pki.goog/repository/',
      'ocsp.pki.goog crl.pki.goog c.pki.goog o.pki.goog i.pki.goog',
    ],
    [
      'Microsoft',
      'https://learn.microsoft.com/azure/security/fundamentals/azure-certificate-authority-details',
      'crl.microsoft.com mscrl.microsoft.com oneocsp.microsoft.com ocsp.msocsp.com',
    ],
    [
      'Apple',
      'https://support.apple.com/101555',
      'ocsp.apple.com ocsp2.apple.com crl.apple.com valid.apple.com',
    ],
    ["Let's Encrypt", 'https://letsencrypt.org/certificates/', '.o.lencr.org .c.lencr.org .i.lencr.org'],
  ] as const
).map(([operator, source, values]) => ({
  name: `${operator} certificate status`,
  operator,
  kind: 'certificate-status',
  source,
  values,
}));

/**
 * Services through which strangers act: a bot or a webhook is theirs, and malware reports to it. They have a name and
 * vouch for no request.
 */
const APIS: readonly ServiceData[] = [
  {
    name: 'Telegram Bot API',
    operator: 'Telegram',
    kind: 'api',
    source: 'https://core.telegram.org/bots/api',
    values: 'api.telegram.org',
    vouches: false,
  },
  {
    name: 'Slack webhooks',
    operator: 'Slack',
    kind: 'api',
    source: 'https://api.slack.com/messaging/webhooks',
    values: 'hooks.slack.com',
    vouches: false,
  },
  {
    name: 'Microsoft Graph',
    operator: 'Microsoft',
    kind: 'api',
    source: 'https://learn.microsoft.com/graph/overview',
    values: 'graph.microsoft.com',
    vouches: false,
  },
];

export const HOSTED_SERVICES: readonly ServiceData[] = [
  ...UPDATES,
  ...SIGN_IN,
  ...MAIL,
  ...CERTIFICATE_STATUS,
  ...APIS,
];
