# Lease block and SHA-256, without any other process.
if "$native/test/lease-test"; then ok; else fail "lease-test"; fi
