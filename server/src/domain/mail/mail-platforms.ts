/**
 * Names of services that send mail for many customers, and platforms where strangers get names. An authentication pass
 * for such a name says which service sent a message, and not who wrote it (O16).
 */
const NAMES: ReadonlySet<string> = new Set(
  `onmicrosoft.com sendgrid.net amazonses.com mailgun.org mailgun.net mandrillapp.com mcsv.net mcdlv.net rsgsv.net
  list-manage.com mailchimpapp.net sparkpostmail.com postmarkapp.com mtasv.net mailjet.com mjt.lu sendinblue.com brevo.com
  sendibm1.com sendibm3.com constantcontact.com ccsend.com hubspotemail.net hubspotservers.com salesforce.com exacttarget.com
  klaviyomail.com createsend.com cmail19.com cmail20.com campaign-archive.com getresponse.com getresponse-mail.com
  activehosted.com emsend1.com mailerlite.com mlsend.com aweber.com convertkit-mail.com convertkit-mail2.com substack.com
  beehiiv.com zohomail.com zcsend.net zohosubscriptions.com freshdesk.com freshemail.io zendesk.com intercom-mail.com
  customeriomail.com elasticemail.com smtp2go.com sendpulse.com turbo-smtp.com shopifyemail.com squarespace-mail.com
  wixemails.com docusign.net hellosign.com foxitsign.com esigngenie.com pandadoc.net eventbrite.com evite.com surveymonkey.com
  typeform.com jotform.com formspree.io googlegroups.com groups.io yahoogroups.com simplelists.com firebaseapp.com
  appspotmail.com bounces.google.com linktr.ee`
    .trim()
    .split(/\s+/),
);

/** Names below these belong to customers, but the public suffix list lacks them. */
const TENANTS: ReadonlySet<string> = new Set(['onmicrosoft.com', 'appspotmail.com', 'firebaseapp.com']);

function isBelow(host: string, names: ReadonlySet<string>): boolean {
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1))
    if (names.has(name)) return true;
  return false;
}

/** True if the host is a mail platform or lies below one. */
export const isMailPlatform = (host: string): boolean => isBelow(host, NAMES);

/** True for hosts of platforms that give every customer a name below their own to send mail from. */
export const isTenantSender = (host: string): boolean => isBelow(host, TENANTS);
