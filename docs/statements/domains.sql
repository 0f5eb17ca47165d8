-- Statements of the API's operations. Written by: npx vitest run test/architecture/statements -u

SELECT EXISTS (SELECT FROM status_page_domains
         WHERE domain = $1 AND status = 'verified' AND status_page_id IS DISTINCT FROM $2)
AND NOT EXISTS (SELECT FROM status_page_domains WHERE domain = $1 AND status_page_id = $2) AS held;

SELECT organization_id, status_page_id, domain, claimed_at, clock_timestamp() AS now
 FROM status_page_domains
WHERE organization_id = $1 AND status_page_id = $2;

SELECT organization_id, status_page_id, domain, status, claimed_at, checked_at, verified_at, missing_since FROM status_page_domains WHERE organization_id = $1 AND status_page_id = $2 FOR NO KEY UPDATE;

SELECT organization_id, status_page_id, domain, status, found, error, routing, checked_at, verified_at,
      missing_since, next_check_at
 FROM status_page_domains
WHERE organization_id = $1 AND status_page_id = $2;

UPDATE status_page_domains
  SET status = $3, found = $4, error = $5, routing = CASE WHEN $6 THEN $7::jsonb ELSE routing END,
      checked_at = $8, verified_at = $9, missing_since = $10,
      next_check_at = clock_timestamp() + make_interval(secs => $11)
WHERE organization_id = $1 AND status_page_id = $2;
