//! One answer of the door: computed on a thread of its own, and kept until a newer one is there.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use lightloom::{Error, Stopped, Watch};

/// Wakes the window when an answer is there.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// An answer to the question `K`. While a newer answer is computed, the last good one stays.
pub struct Slot<K, T> {
    /// The last good answer and its question.
    last: Option<(K, Arc<T>)>,
    /// The question that was asked last.
    asked: Option<K>,
    /// Number of good answers so far: another number is another answer.
    number: u64,
    /// Why that question has no answer.
    refused: Option<Arc<Error>>,
    job: Option<Job<T>>,
}

struct Job<T> {
    stop: Arc<AtomicBool>,
    progress: Arc<Progress>,
    started: Instant,
    answer: Receiver<Result<T, Error>>,
    thread: Option<JoinHandle<()>>,
}

/// Progress of a job, written by its thread.
#[derive(Debug, Default)]
struct Progress {
    done: AtomicU64,
    of: AtomicU64,
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HowFar {
    /// Share that is done, 0 to 1. `None`: the work does not tell.
    pub share: Option<f32>,
    /// Seconds since the start.
    pub seconds: f32,
}

impl HowFar {
    /// Seconds that are left at the speed so far. `None`: unknown.
    pub fn seconds_left(self) -> Option<f32> {
        self.share.filter(|share| *share > 0.01).map(|share| self.seconds * (1.0 - share) / share)
    }
}

/// A slot of any question.
pub trait AnySlot {
    /// Takes the answer if it is there.
    fn take(&mut self);

    /// Whether its question is at work.
    fn is_at_work(&self) -> bool;
}

impl<K: Clone + PartialEq, T: Send + 'static> AnySlot for Slot<K, T> {
    fn take(&mut self) {
        self.poll();
    }

    fn is_at_work(&self) -> bool {
        self.job.is_some()
    }
}

impl<K, T> Default for Slot<K, T> {
    fn default() -> Self {
        Self { last: None, asked: None, number: 0, refused: None, job: None }
    }
}

impl<K: fmt::Debug, T> fmt::Debug for Slot<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let running = self.job.is_some();
        f.debug_struct("Slot").field("asked", &self.asked).field("running", &running).finish()
    }
}

impl<K: Clone + PartialEq, T: Send + 'static> Slot<K, T> {
    /// Asks a question, unless it was the last one that was asked. An older question that is still at work is
    /// stopped.
    pub fn ask(
        &mut self,
        key: K,
        wake: &Wake,
        work: impl FnOnce(Watch<'_>) -> Result<T, Error> + Send + 'static,
    ) {
        if self.asked.as_ref() == Some(&key) {
            return;
        }
        self.stop();
        self.asked = Some(key);
        self.refused = None;
        let stop = Arc::new(AtomicBool::new(false));
        let progress = Arc::new(Progress::default());
        let (send, answer) = mpsc::channel();
        let (its_stop, its_progress, wake) = (stop.clone(), progress.clone(), wake.clone());
        let thread = thread::spawn(move || {
            let hear = |done: u64, of: u64| {
                its_progress.done.store(done, Ordering::Relaxed);
                its_progress.of.store(of, Ordering::Relaxed);
            };
            let answer = work(Watch::quiet().stopped_by(&its_stop).on_progress(&hear));
            // The receiver of a job that was stopped is gone.
            let _ = send.send(answer);
            wake();
        });
        let started = Instant::now();
        self.job = Some(Job { stop, progress, started, answer, thread: Some(thread) });
    }

    /// Takes the answer if it is there. Returns whether the slot has changed.
    pub fn poll(&mut self) -> bool {
        let Some(job) = &mut self.job else { return false };
        let answer = match job.answer.try_recv() {
            Ok(answer) => Some(answer),
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => None,
        };
        if let Some(thread) = job.thread.take() {
            // A panic of the thread is told below, because it sent no answer.
            let _ = thread.join();
        }
        self.job = None;
        match (answer, &self.asked) {
            (Some(Ok(answer)), Some(key)) => {
                self.last = Some((key.clone(), Arc::new(answer)));
                self.number += 1;
            }
            (Some(Err(error)), _) => self.refused = Some(Arc::new(error)),
            (Some(Ok(_)) | None, _) => {
                let message = "a fault of lightloom: the work ended without an answer";
                self.refused = Some(Arc::new(Error::PlanRejected(message.to_owned())));
            }
        }
        true
    }

    /// Stops the work, and forgets the question, so that it can be asked again.
    pub fn stop(&mut self) {
        if let Some(job) = self.job.take() {
            job.stop.store(true, Ordering::Relaxed);
            self.asked = None;
        }
    }

    /// Stops the work at the wish of the user. The question stays asked, so that it is not asked again by itself.
    pub fn halt(&mut self) {
        if let Some(job) = self.job.take() {
            job.stop.store(true, Ordering::Relaxed);
            self.refused = Some(Arc::new(Stopped.into()));
        }
    }

    /// Forgets a question whose work the user has stopped, so that it can be asked again.
    pub fn forget_halted(&mut self) {
        if self.refused.as_deref().is_some_and(|error| matches!(error, Error::Stopped(_))) {
            self.asked = None;
            self.refused = None;
        }
    }

    /// Tells the work to end with what it has, which is the answer.
    pub fn end_early(&self) {
        if let Some(job) = &self.job {
            job.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Forgets the question and its answer.
    pub fn clear(&mut self) {
        self.stop();
        self.last = None;
        self.asked = None;
        self.refused = None;
    }

    /// Stops the work and waits for its thread.
    pub fn close(&mut self) {
        if let Some(mut job) = self.job.take() {
            job.stop.store(true, Ordering::Relaxed);
            if let Some(thread) = job.thread.take() {
                let _ = thread.join();
            }
        }
    }

    /// The answer to this question. `None`: it is not there yet, or there is none.
    pub fn answer(&self, key: &K) -> Option<&Arc<T>> {
        self.last.as_ref().filter(|(of, _)| of == key).map(|(_, answer)| answer)
    }

    /// The last good answer, to whatever question.
    pub fn last(&self) -> Option<&Arc<T>> {
        self.last.as_ref().map(|(_, answer)| answer)
    }

    /// The question of the last good answer.
    pub fn last_key(&self) -> Option<&K> {
        self.last.as_ref().map(|(key, _)| key)
    }

    /// The question that was asked last.
    pub fn asked_key(&self) -> Option<&K> {
        self.asked.as_ref()
    }

    /// Number of good answers so far. A drawing that is kept belongs to the answer of this number.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Whether the last good answer is not that of the last question.
    pub fn is_stale(&self) -> bool {
        self.last_key().is_some() && self.last_key() != self.asked.as_ref()
    }

    /// Why the last question has no answer.
    pub fn refused(&self) -> Option<&Arc<Error>> {
        self.refused.as_ref()
    }

    /// Why the last question has no answer, if it still is to be asked.
    pub fn refused_of(&self, is_asked: impl FnOnce(&K) -> bool) -> Option<&Arc<Error>> {
        self.refused().filter(|_| self.asked_key().is_some_and(is_asked))
    }

    /// How far the work is. `None`: nothing is at work.
    pub fn how_far(&self) -> Option<HowFar> {
        let job = self.job.as_ref()?;
        let of = job.progress.of.load(Ordering::Relaxed);
        let done = job.progress.done.load(Ordering::Relaxed);
        #[allow(clippy::cast_precision_loss, reason = "a share for a bar")]
        let share = (of > 0).then(|| (done as f32 / of as f32).min(1.0));
        Some(HowFar { share, seconds: job.started.elapsed().as_secs_f32() })
    }
}

impl<K, T> Drop for Slot<K, T> {
    fn drop(&mut self) {
        if let Some(job) = &self.job {
            job.stop.store(true, Ordering::Relaxed);
        }
    }
}
