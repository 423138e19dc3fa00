use lightloom_routing::parallel::*;
use lightloom_routing::*;
use lightloom_topology::{family::*, *};
fn main() {
    let a: Vec<u32> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let (p, lo, hi, step) = (a[0], a[1], a[2], a[3]);
    let mut worst = (0.0, 0u32);
    let mut t = lo;
    while t <= hi {
        let f = kautz(p, t).unwrap();
        let bal = Balanced::new(&f).into_tables();
        let rot = RelayTables::new(&f, &mut Rotated::new(&f));
        let h = bal.hops(&f).unwrap();
        let l = bal.load(&f);
        let lr = rot.load(&f);
        let one = OneMoreHop::new(&f).into_tables();
        let l1 = one.load(&f);
        let h1 = one.hops(&f).unwrap();
        let mb = moore_bound(p, t as usize);
        let ps = parallel_sources(&f);
        let ratio = l.max() as f64 / l.mean();
        let inst = if t <= 1100 {
            let c: Vec<TorId> = f.tor_ids().collect();
            let i = {
                let rows: Vec<&[TorId]> = c.iter().map(|&t| bal.row(t)).collect();
                installed_sources(&c, &rows, p as usize)
            };
            format!("{}..{}", i.sources.len(), i.at_most)
        } else {
            "-".into()
        };
        if ratio > worst.0 {
            worst = (ratio, t);
        }
        let q = ps.sources.len() as u32;
        let full = t % p == 0;
        let bad = (full && (h.max > mb + 1 || (t > p && q != p)))
            || ratio > if p >= 4 { 1.5 } else { 2.0 };
        if bad || hi - lo < 20 * step {
            println!(
                "T={t} hops {} (moore {mb}) mean {:.3} load {}/{:.1}/{} ratio {:.3} rot {:.3} one {:.3} h{} mean {:.3} q={} inst {inst} {}",
                h.max,
                h.mean(t as usize),
                l.min(),
                l.mean(),
                l.max(),
                ratio,
                lr.max() as f64 / lr.mean(),
                l1.max() as f64 / l1.mean(),
                h1.max,
                h1.mean(t as usize),
                q,
                if bad { "BAD" } else { "" }
            );
        }
        t += step;
    }
    println!("worst {worst:?}");
}
