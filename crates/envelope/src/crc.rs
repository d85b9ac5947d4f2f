//! The checksum of zip files.

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut rest, mut bit) = (byte as u32, 0);
        while bit < 8 {
            rest = if rest & 1 == 1 {
                rest >> 1 ^ 0xEDB8_8320
            } else {
                rest >> 1
            };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

/// The CRC-32 used in zip files.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let rest = bytes.iter().fold(u32::MAX, |rest, byte| {
        TABLE[usize::from(rest as u8 ^ byte)] ^ rest >> 8
    });
    !rest
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_matches_the_published_one() {
        assert_eq!(super::crc32(b"123456789"), 0xCBF4_3926);
    }
}
